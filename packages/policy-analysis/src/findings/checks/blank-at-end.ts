import type { FindingCheck } from "../finding.ts";
import { renderFlow } from "../render-flow.ts";
import { suspectText, textsOf } from "../suspect-question.ts";
import { sampleOf } from "../witness/pattern-sample.ts";

/** Operators that a blank at the end of a value is easily meant with: what a text contains or begins with. */
const TAKES_BLANKS: ReadonlySet<unknown> = new Set(["contains", "starts_with", "matches"]);

const COMPARES_TEXT: ReadonlySet<unknown> = new Set([
  ...TAKES_BLANKS,
  "==",
  "in",
  "ends_with",
  "matches_all",
]);

/** `value: >` and a text on the next line: the text ends with a line break. */
export const blankAtEnd: FindingCheck = {
  code: "policy/blank-at-end",
  *suspect(context) {
    for (const authored of context.rules.flatMap(({ questions }) => questions)) {
      const { operator } = authored;
      if (!COMPARES_TEXT.has(operator)) continue;
      for (const written of textsOf(authored)) {
        const text = TAKES_BLANKS.has(operator)
          ? written.text.replace(/^[\r\n]+|[\r\n]+$/g, "")
          : written.text.trim();
        if (text === "" || text === written.text) continue;
        const isPattern = operator === "matches" || operator === "matches_all";
        const value = isPattern ? sampleOf(text) : text;
        const blank = written.text.endsWith("\n") ? "a line break" : "white space";
        yield suspectText(
          context,
          { authored, written },
          {
            text,
            values: value === null ? [] : [value],
            words: {
              message: `the value begins or ends with ${blank}, and only a text with it is equal`,
              expected: "a value without white space at its ends",
              found: JSON.stringify(written.text),
              fix: `write ${renderFlow(text)} on the line of value: > and | add a line break at the end`,
            },
          },
        );
      }
    }
  },
};
