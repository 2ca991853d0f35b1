import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { fieldOf, placeOfField, suspectQuestion } from "../suspect-question.ts";
import { ABSENT } from "../witness/example-values.ts";

/** Tools of a group have different arguments. */
function isGlob(tool: string): boolean {
  return tool.includes("*");
}

const DEMANDS: ReadonlySet<string> = new Set(["!=", "not_in"]);

/** `fail_closed: false` beside a rule that demands a value: a call without the argument passes. */
export const missingPasses: FindingCheck = {
  code: "policy/missing-passes",
  *suspect(context) {
    if (context.document.failClosed) return;
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { operator, question, role, rule, written } = authored;
      const { kind } = rule.action;
      if ((kind !== "deny" && kind !== "require_approval") || rule.tools.some(isGlob)) continue;
      if (question.subject.kind !== "args" || question.whenMissing !== null) continue;
      // Below `not` the condition says what the call must be.
      if (role === "stops" && !DEMANDS.has(operator)) continue;
      const instead = { ...written, when_missing: "match" };
      yield suspectQuestion(context, authored, {
        place: placeOfField(authored),
        instead,
        shows: "passes",
        values: [ABSENT],
        words: {
          message: `with fail_closed: false a rule does not match a call that has no ${fieldOf(authored)}`,
          expected: "when_missing: match, or fail_closed: true",
          found: "fail_closed: false, and a condition without when_missing",
          fix: `remove fail_closed: false; or write ${renderFlow(instead)}`,
        },
      });
    }
  },
};
