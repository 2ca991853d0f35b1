import { type AppliedVersion, DISABLED, type Rollout } from "../rollout/apply-version.ts";
import { awaitGateways } from "../rollout/await-gateways.ts";
import type { Plan } from "./plan-policy.ts";

/** A policy that runs already: nothing is stored, and every gateway is asked whether it decides by it. */
export async function confirmRunning(
  { id, draft, mode, enabled }: Plan,
  rollout: Rollout,
): Promise<AppliedVersion> {
  const { client, output, waitMs, signal } = rollout;
  const version = draft.base ?? 0;
  const wait = { id, version, known: [], sentMs: performance.now(), waitMs, signal };
  return {
    policy_id: id,
    version,
    version_before: version,
    mode,
    enabled,
    ...(await awaitGateways(client, wait, output)),
    audit_row: null,
    audit_row_missing_because: "nothing was changed",
    ended_approvals: 0,
    note: enabled ? null : DISABLED,
  };
}
