import type { FindingCheck } from "../finding.ts";
import { patternsOf } from "../patterns.ts";
import { renderFlow } from "../render-flow.ts";
import { suspectPattern } from "../suspect-question.ts";

/** What double quotes of YAML made of a backslash and a letter, and what the letter was. */
const ESCAPES: { readonly [character: string]: string } = {
  "\u0000": "0",
  "\u0007": "a",
  "\b": "b",
  "\u001b": "e",
  "\u0085": "N",
  "\u00a0": "_",
  "\u2028": "L",
  "\u2029": "P",
};

const ESCAPED = new RegExp(`[${Object.keys(ESCAPES).join("")}]`, "g");

/** `"\bDROP\b"` in double quotes: a backspace on both sides, and not the end of a word. */
export const controlCharacter: FindingCheck = {
  code: "policy/control-character",
  *suspect(context) {
    for (const { authored, written } of patternsOf(context)) {
      const [character] = ESCAPED.exec(written.text) ?? [];
      ESCAPED.lastIndex = 0;
      if (character === undefined) continue;
      const pattern = written.text.replaceAll(ESCAPED, (found) => `\\${ESCAPES[found] ?? ""}`);
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const letter = `\\${ESCAPES[character] ?? ""}`;
      yield suspectPattern(
        context,
        { authored, written },
        {
          pattern,
          words: {
            message:
              `YAML reads ${letter} in double quotes as the character U+${code}, ` +
              "so the pattern looks for that character",
            expected: "a pattern in single quotes, in which backslashes stay as they are",
            found: JSON.stringify(written.text),
            fix: `write ${renderFlow(pattern)} in single quotes`,
          },
        },
      );
    }
  },
};
