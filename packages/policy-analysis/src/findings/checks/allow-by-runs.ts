import type { JsonValue } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { withAnotherCommand } from "../hostile-commands.ts";
import { renderFlow } from "../render-flow.ts";
import { placeOfOperator, suspectQuestion } from "../suspect-question.ts";

/** `runs` in an allow rule: one known command is enough for any other beside it. */
export const allowByRuns: FindingCheck = {
  code: "policy/allow-by-runs",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      if (authored.role !== "lets" || authored.operator !== "runs") continue;
      const instead = { ...authored.written, operator: "runs_only" };
      yield suspectQuestion(context, authored, {
        place: placeOfOperator(authored),
        instead,
        shows: "passes",
        values: commandsOf(authored.written["value"] ?? null).flatMap(withAnotherCommand),
        words: {
          message:
            "runs holds if one command of the line is known, so the call passes whatever else the line runs",
          expected: "runs_only where a condition lets a call pass",
          found: "operator: runs",
          fix: `write ${renderFlow(instead)}`,
        },
      });
    }
  },
};

function commandsOf(value: JsonValue): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).flatMap((words) => (Array.isArray(words) ? [words.join(" ")] : []));
}
