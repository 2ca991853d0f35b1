import type { ApprovalClaim } from "@svc/store/ports/claims";
import { approvalClaim } from "@svc/store/testing/records";

/** Opens `apr_1` for a minute, for a call of the agent `a-1`. */
export function openClaim(atMs: number, changes: Partial<ApprovalClaim> = {}): ApprovalClaim {
  return approvalClaim("acme", {
    agentId: "a-1",
    sessionId: null,
    policyId: "p",
    policyVersion: 1,
    ruleId: "r",
    atMs,
    expiresAtMs: atMs + 60_000,
    ...changes,
  });
}
