import { ANY_TOOL, type PlacedGlob } from "@svc/engine/policy-document";
import type { AuthoredRule } from "../authored-rule.ts";
import type { FindingCheck, Repair, Suspicion } from "../finding.ts";
import { plainCall } from "../witness/draft-call.ts";

/** `*delete*` where every other tool passes: another spelling of the word passes. */
export const deniedToolSpelling: FindingCheck = {
  code: "policy/denied-tool-spelling",
  *suspect({ document, rules }) {
    const { allowed, denied, failClosed } = document;
    if (failClosed && !allowed.some(({ glob }) => glob === ANY_TOOL)) return;
    for (const placed of denied)
      yield* suspicionsOf(placed, "tools.denied", (glob) => ({ kind: "denied", glob }));
    for (const authored of rules) {
      const { action, match, place, tools } = authored.rule;
      if (match !== null || (action.kind !== "deny" && action.kind !== "require_approval")) continue;
      for (const glob of tools)
        yield* suspicionsOf({ glob, place }, `a rule with action: ${action.kind}`, (other) =>
          alsoAbout(authored, other),
        );
    }
  },
};

/** The rule with one more tool. */
function alsoAbout({ rule, written }: AuthoredRule, glob: string): Repair {
  return { kind: "rule", rule, written: { ...written, match: { tool: [...rule.tools, glob] } } };
}

function* suspicionsOf(
  { glob, place }: PlacedGlob,
  where: string,
  repair: (glob: string) => Repair,
): Iterable<Suspicion> {
  const word = /^\*[^A-Za-z]*([A-Za-z]{3,})/.exec(glob)?.[1];
  if (word === undefined) return;
  const other = glob.replace(word, word.slice(0, 1).toUpperCase() + word.slice(1));
  if (other === glob) return;
  const name = other.replace("*", "db.").replaceAll("*", "");
  yield {
    place,
    shows: "passes",
    calls: [{ call: plainCall(name.replace("..", ".")), pinned: [] }],
    repair: repair(other),
    words: {
      message: `${glob} finds tools by a word in their names, and names of tools are compared with case`,
      expected: "a list of tools that may be called",
      found: `${glob} in ${where}, in a policy that allows every other tool`,
      fix:
        "list the tools that may be called under tools.allowed, and remove fail_closed: false; " +
        `or name ${JSON.stringify(other)} as well, and look for other words such as remove or drop`,
    },
  };
}
