import { ANY_TOOL } from "@svc/engine/policy-document";
import { memberOf } from "../authored-rule.ts";
import type { Draft, FindingCheck, Suspicion } from "../finding.ts";
import { toolsOf } from "../suspect-question.ts";
import { waysTo } from "../witness/assignments.ts";
import { pinned, plainCall } from "../witness/draft-call.ts";

/** Tools that nobody lists. */
const UNLISTED = ["shell.run", "db.drop", "other.tool"];

/** `fail_closed: false` beside allowed tools, or beside a rule that allows: neither limits anything. */
export const openDespiteAllow: FindingCheck = {
  code: "policy/open-despite-allow",
  *suspect({ document, root, rules }) {
    const place = memberOf(root, "fail_closed");
    if (document.failClosed || place === null) return;
    const [entry] = document.allowed;
    const common: Pick<Suspicion, "place" | "shows" | "repair"> = {
      place,
      shows: "passes",
      repair: { kind: "fail_closed" },
    };
    if (entry !== undefined) {
      const calls = UNLISTED.map((tool): Draft => ({ call: plainCall(tool), pinned: [] }));
      yield {
        ...common,
        related: entry.place,
        calls,
        words: wordsFor("tools.allowed allows nothing that is not allowed anyway"),
      };
    }
    for (const { rule, written } of rules) {
      if (rule.action.kind !== "allow") continue;
      const ways = rule.match === null ? [] : waysTo(false, written["match"] ?? null);
      const tools = rule.tools.includes(ANY_TOOL) ? [] : UNLISTED;
      const calls = [
        ...toolsOf(rule, document).flatMap((tool) =>
          ways.map((way) => pinned({ call: plainCall(tool), pinned: [] }, way)),
        ),
        ...tools.map((tool): Draft => ({ call: plainCall(tool), pinned: [] })),
      ];
      const words = wordsFor(`the rule ${rule.id} allows nothing that is not allowed anyway`);
      yield { ...common, related: rule.place, calls, words };
    }
  },
};

function wordsFor(consequence: string): Suspicion["words"] {
  return {
    message: `with fail_closed: false every call passes that nothing denies: ${consequence}`,
    expected: "fail_closed: true beside what is allowed",
    found: "fail_closed: false",
    fix:
      "remove fail_closed: false. It does not keep agents working while Svc is down; it allows every tool " +
      "that no list and no rule names. If that is meant, remove what allows, and list dangerous tools " +
      "under tools.denied",
  };
}
