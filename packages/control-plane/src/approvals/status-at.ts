import type { ApprovalStatus } from "@svc/contract/approval";
import type { StoredApproval } from "@svc/store/ports/approval-store";

/** Where an approval stands now, whether or not its end by time was written down. */
export function statusAt({ status, expiresAtMs }: StoredApproval, atMs: number): ApprovalStatus {
  const isOpen = status === "pending" || status === "suspended";
  return isOpen && expiresAtMs <= atMs ? "expired" : status;
}
