import type { JsonObject } from "@svc/text/json-value";
import type { FindingCheck } from "../finding.ts";
import { patternsOf } from "../patterns.ts";
import { renderFlow } from "../render-flow.ts";
import { suspectQuestion } from "../suspect-question.ts";
import { sampleOf } from "../witness/pattern-sample.ts";

/** `matches: ls|pwd` in an allow rule: found anywhere, also within `false`. */
export const unanchoredAllow: FindingCheck = {
  code: "policy/unanchored-allow",
  *suspect(context) {
    for (const { authored, written, operator } of patternsOf(context)) {
      if (authored.role !== "lets" || operator !== "matches") continue;
      const sample = sampleOf(written.text);
      if (sample === null) continue;
      const instead: JsonObject = { ...authored.written, operator: "matches_all" };
      yield suspectQuestion(context, authored, {
        place: written.place,
        instead,
        shows: "passes",
        values: valuesAround(written.text, sample),
        words: {
          message: "the pattern is not anchored, so other text may stand beside what it names",
          expected: "matches_all, which compares the whole text",
          found: `operator: matches, value: ${renderFlow(written.text)}`,
          fix: `write ${renderFlow(instead)}`,
        },
      });
    }
  },
};

/** Texts with the sample in them. One open end alone is how prefixes and endings are written. */
function valuesAround(pattern: string, sample: string): readonly string[] {
  const around = [`anything ${sample} anything`, `x${sample}x`];
  // `^a|b$` is anchored at one end of each.
  return pattern.startsWith("^") && pattern.endsWith("$") && pattern.includes("|")
    ? [...around, `${sample}x`, `x${sample}`]
    : around;
}
