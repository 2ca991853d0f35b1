import type { StoredApproval } from "@svc/store/ports/approval-store";
import type { ControlPlanePorts } from "../ports.ts";
import { approvalRow } from "./approval-row.ts";
import { logApproval } from "./log-approval.ts";

/** Names the expiry as principal of its rows, and in approvals whose time was over. */
export const APPROVAL_EXPIRY = "approval_expiry";

export const EXPIRED = "nobody resolved it in time";

export type ExpiryPorts = Pick<
  ControlPlanePorts,
  "clock" | "timers" | "log" | "approvals" | "approvalWaits" | "leads"
>;

/**
 * Writes down that the time of an approval is over. Does nothing for one that has ended. @throws when the
 * store does not answer.
 */
export async function expireApproval(ports: ExpiryPorts, approval: StoredApproval): Promise<void> {
  const { org, id, expiresAtMs } = approval;
  const now = ports.clock.now();
  const at = new Date(expiresAtMs).toISOString();
  const state = { ...approval.state, end: { at, by: APPROVAL_EXPIRY, reason: EXPIRED } };
  const facts = { action: "expired", principal: APPROVAL_EXPIRY, reason: EXPIRED, state } as const;
  const auditRow = approvalRow(approval, { ...facts, time: now.toISOString() });
  const changed = await ports.approvals.expireApproval({ org, id, state, atMs: now.getTime(), auditRow });
  if (changed !== "changed") return;
  logApproval(ports.log, "approval expired", { principal: APPROVAL_EXPIRY, approval });
  ports.approvalWaits.announce(org, id);
}
