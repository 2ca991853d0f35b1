import { areExhaustive } from "../are-exhaustive.ts";
import { suspectConstants } from "../constant-question.ts";
import type { FindingCheck } from "../finding.ts";
import { suspectGroups } from "../suspect-groups.ts";

/** `any: [x != a, x != b]`: one of them holds for every value. */
export const alwaysMatches: FindingCheck = {
  code: "policy/always-matches",
  *suspect(context) {
    yield* suspectGroups(context, "any", areExhaustive);
    yield* suspectConstants(context, "always");
  },
};
