import { ANY_TOOL } from "../../policy-document.ts";
import type { FindingCheck } from "../finding.ts";
import { plainCall } from "../witness/draft-call.ts";

/** `denied: ["*delete*"]` in a policy that allows every tool: another spelling of the word passes. */
export const deniedToolSpelling: FindingCheck = {
  code: "policy/denied-tool-spelling",
  *suspect({ document }) {
    const { allowed, denied, failClosed } = document;
    if (failClosed && !allowed.some(({ glob }) => glob === ANY_TOOL)) return;
    for (const { glob, place } of denied) {
      const word = /^\*[^A-Za-z]*([A-Za-z]{3,})/.exec(glob)?.[1];
      if (word === undefined) continue;
      const other = glob.replace(word, word.slice(0, 1).toUpperCase() + word.slice(1));
      if (other === glob) continue;
      const name = other.replace("*", "db.").replaceAll("*", "");
      yield {
        place,
        shows: "passes",
        calls: [{ call: plainCall(name.replace("..", ".")), pinned: [] }],
        repair: { kind: "denied", glob: other },
        words: {
          message: `${glob} denies tools by a word in their names, and names of tools are compared with case`,
          expected: "a list of tools that may be called",
          found: `${glob} under tools.denied, in a policy that allows every other tool`,
          fix:
            "list the tools that may be called under tools.allowed, and remove fail_closed: false; " +
            `or deny ${JSON.stringify(other)} as well, and look for other words such as remove or drop`,
        },
      };
    }
  },
};
