import { areExclusive } from "../are-exclusive.ts";
import type { FindingCheck } from "../finding.ts";
import { suspectGroups } from "../suspect-groups.ts";

/** `all: [x > 10, x < 5]`: no value meets both. */
export const neverMatches: FindingCheck = {
  code: "policy/never-matches",
  suspect: (context) => suspectGroups(context, "all", areExclusive),
};
