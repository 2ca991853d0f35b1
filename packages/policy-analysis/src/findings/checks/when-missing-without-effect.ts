import type { JsonObject } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { fieldOf, suspectQuestion } from "../suspect-question.ts";
import { ABSENT } from "../witness/example-values.ts";

/** Operators that judge a missing field themselves. */
const JUDGES_ABSENCE: ReadonlySet<string> = new Set(["exists", "not_exists", "not_empty"]);

/** `when_missing` beside an operator that answers for a missing field itself. */
export const whenMissingWithoutEffect: FindingCheck = {
  code: "policy/when-missing-without-effect",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { operator, question, role, written } = authored;
      const { when_missing: meant, ...rest } = written;
      if (meant === undefined || question.subject.kind !== "args" || !JUDGES_ABSENCE.has(operator)) continue;
      const { kind } = authored.rule.action;
      if (kind !== "deny" && kind !== "require_approval") continue;
      const isMatched = meant === "match";
      const field: JsonObject = { field: written["field"] ?? "" };
      const absent: JsonObject = { ...field, operator: "not_exists" };
      // As the key says: a call without the field matches the rule, or does not.
      const holds = isMatched === (role === "stops");
      const instead: JsonObject = holds
        ? { any: [rest, absent] }
        : { all: [rest, { ...field, operator: "exists" }] };
      const place = authored.node.entries.find(({ key }) => key === "when_missing")?.value ?? authored.node;
      yield suspectQuestion(context, authored, {
        place,
        instead,
        shows: isMatched ? "passes" : "stopped",
        values: [ABSENT],
        words: {
          message: `${operator} judges a missing ${fieldOf(authored)} itself, so when_missing has no effect`,
          expected: `${operator} without when_missing`,
          found: `when_missing: ${isMatched ? "match" : "skip"}`,
          fix: isMatched ? `write ${renderFlow(instead)}` : "remove when_missing, or the condition",
        },
      });
    }
  },
};
