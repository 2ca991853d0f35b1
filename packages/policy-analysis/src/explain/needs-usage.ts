import type { DecidingDocument } from "@svc/engine/compile-document";
import { questionsOf } from "@svc/engine/condition";
import { namesSession } from "@svc/engine/evaluator-input";

/** Whether the lists and rules are judged by the usage of a session: a module alone does not make them so. */
export function needsUsage({ rules, rego }: Pick<DecidingDocument, "rules" | "rego">): boolean {
  const asked = Array.from(rules, ({ match }) => questionsOf(match)).flat();
  return namesSession(rego) || asked.some(({ subject }) => subject.kind === "usage");
}
