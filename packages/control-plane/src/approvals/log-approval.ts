import type { Logger } from "@svc/process/logger";
import type { StoredApproval } from "@svc/store/ports/approval-store";

type Step =
  | "approved"
  | "denied"
  | "cancelled"
  | "expired"
  | "suspended"
  | "resumed"
  | "revoked"
  | "voted on";

/** Logs one line per step of an approval. */
export function logApproval(
  log: Logger,
  message: `approval ${Step}`,
  { principal, approval }: { readonly principal: string; readonly approval: StoredApproval },
): void {
  const { org, id, agentId: agent_id, tool } = approval;
  log.info({ org, principal, approval_id: id, agent_id, tool }, message);
}
