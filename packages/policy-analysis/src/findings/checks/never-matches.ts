import { areExclusive } from "../are-exclusive.ts";
import { suspectConstants } from "../constant-question.ts";
import type { FindingCheck } from "../finding.ts";
import { suspectGroups } from "../suspect-groups.ts";

/** `all: [x > 10, x < 5]`: no value meets both. */
export const neverMatches: FindingCheck = {
  code: "policy/never-matches",
  *suspect(context) {
    yield* suspectGroups(context, "all", areExclusive);
    yield* suspectConstants(context, "never");
  },
};
