import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type ApprovalRow,
  type HeldApproval,
  heldApprovals,
  type OpenedApproval,
} from "../../claims/approval.ts";
import type { ApprovalClaim } from "../../ports/claims.ts";

/** Open approvals, in the transaction of a batch. */
export class SqliteApprovals {
  readonly #select: StatementSync;
  readonly #expire: StatementSync;
  readonly #insert: StatementSync;

  constructor(connection: DatabaseSync) {
    this.#select = connection.prepare(
      `SELECT org, id, call_digest, log_id, seq, expires_at_ms FROM approvals
        WHERE org = ? AND call_digest = ? AND status IN ('pending', 'suspended')`,
    );
    this.#expire = connection.prepare(
      `UPDATE approvals SET status = 'expired'
        WHERE org = ? AND call_digest = ? AND status IN ('pending', 'suspended')`,
    );
    this.#insert = connection.prepare(
      `INSERT INTO approvals (org, id, call_digest, agent_id, session_id, tool, log_id, seq,
          created_at_ms, expires_at_ms, status)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending')`,
    );
  }

  read(claims: readonly ApprovalClaim[]): ReadonlyMap<string, HeldApproval> {
    const rows = claims.flatMap(({ org, callDigest }) => this.#select.all(org, callDigest));
    return heldApprovals(rows as unknown as readonly ApprovalRow[]);
  }

  /** An approval of the same call that is still open has expired, or the judgement had refused the claim. */
  write(opened: Iterable<OpenedApproval>): void {
    for (const { claim, position } of opened) {
      const { org, approvalId, callDigest, agentId, sessionId, tool, atMs, expiresAtMs } = claim;
      this.#expire.run(org, callDigest);
      const call = [org, approvalId, callDigest, agentId, sessionId, tool] as const;
      this.#insert.run(...call, position.logId, position.seq, atMs, expiresAtMs);
    }
  }
}
