import type { FindingCheck } from "../finding.ts";
import { patternsOf } from "../patterns.ts";
import { renderFlow } from "../render-flow.ts";
import { suspectText } from "../suspect-question.ts";
import { sampleOf } from "../witness/pattern-sample.ts";

/** `.*` in a pattern that stops calls: a line break in the text ends the search. */
export const dotAndNewline: FindingCheck = {
  code: "policy/dot-and-newline",
  *suspect(context) {
    for (const { authored, written } of patternsOf(context)) {
      if (authored.role !== "stops" || !/\.[*+{]/.test(written.text)) continue;
      const sample = sampleOf(written.text, { dots: "\n" });
      const pattern = `(?s)${written.text}`;
      yield suspectText(
        context,
        { authored, written },
        {
          text: pattern,
          values: sample === null ? [] : [sample, `x${sample}x`],
          words: {
            message: "a line break in the text gets past the pattern, because . does not match line breaks",
            expected: "(?s) before a pattern that stops calls",
            found: renderFlow(written.text),
            fix: `write ${renderFlow(pattern)}`,
          },
        },
      );
    }
  },
};
