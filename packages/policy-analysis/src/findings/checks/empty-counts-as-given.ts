import { wordList } from "@svc/engine/word-list";
import type { JsonObject } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { placeOfOperator, shortNameOf, suspectQuestion } from "../suspect-question.ts";

/** Arguments that hold a text which people write or look up. */
const TEXTS: ReadonlySet<string> = new Set(
  wordList(
    "ticket ticket_id change change_id change_ticket jira_ticket incident incident_id case_id reason " +
      "justification purpose owner service team cost_center comment description approver requester " +
      "reviewer reference",
  ),
);

/** `not_exists` in a rule that stops, `exists` in one that allows: an empty text is there. */
export const emptyCountsAsGiven: FindingCheck = {
  code: "policy/empty-counts-as-given",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { operator, role, rule, question, written } = authored;
      if (operator !== (role === "stops" ? "not_exists" : "exists") || question.subject.kind !== "args")
        continue;
      if (!TEXTS.has(shortNameOf(authored))) continue;
      // A rewrite of what is missing gives it a value.
      if (rule.action.kind === "redact" || rule.action.kind === "constrain") continue;
      const { when_missing: _missing, ...rest } = written;
      const filled: JsonObject = { ...rest, operator: "not_empty" };
      const instead = role === "stops" ? { not: filled } : filled;
      yield suspectQuestion(context, authored, {
        place: placeOfOperator(authored),
        instead,
        shows: "passes",
        values: ["", null, " "],
        words: {
          message: `an empty text and null exist too, so ${operator} does not ask whether something is given`,
          expected: "not_empty, which asks for a text with a character that a reader sees",
          found: `operator: ${operator}`,
          fix: `write ${renderFlow(instead)}; for a number or a choice, compare the value`,
        },
      });
    }
  },
};
