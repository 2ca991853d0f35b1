import type { FindingCheck } from "../finding.ts";
import { patternsOf } from "../patterns.ts";
import { renderFlow } from "../render-flow.ts";
import { suspectPattern } from "../suspect-question.ts";

/** Two backslashes where a class or the end of a word was meant. Paths of Windows look otherwise. */
const DOUBLED = /\\\\(?=[dDwWsS](?:[+*?{)\]|]|$)|[dDwWsS]\\)|(?:^|[(|])\\\\(?=b)|\\\\(?=b(?:$|[)|]))/;

const PAIRS = /\\\\/g;

/** `'\\bDROP\\b'` in single quotes: two backslashes, which stand for one in the text that is searched. */
export const doubledBackslash: FindingCheck = {
  code: "policy/doubled-backslash",
  *suspect(context) {
    for (const { authored, written } of patternsOf(context)) {
      if (!DOUBLED.test(written.text)) continue;
      const pattern = written.text.replaceAll(PAIRS, "\\");
      yield suspectPattern(
        context,
        { authored, written },
        {
          pattern,
          words: {
            message: "the pattern has doubled backslashes, so it looks for a backslash in the text",
            expected: "one backslash before a letter such as b or d",
            found: renderFlow(written.text),
            fix: `write ${renderFlow(pattern)} in single quotes, in which backslashes stay as they are`,
          },
        },
      );
    }
  },
};
