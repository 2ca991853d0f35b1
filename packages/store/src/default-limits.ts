import { MAX_ACTIVE_KILL_SWITCHES_PER_ORG, MAX_POLICIES_PER_ORG } from "@svc/contract/limits";
import type { StoreLimits } from "./sql/store-context.ts";

export const DEFAULT_STORE_LIMITS: StoreLimits = {
  activeKillSwitches: MAX_ACTIVE_KILL_SWITCHES_PER_ORG,
  policies: MAX_POLICIES_PER_ORG,
};
