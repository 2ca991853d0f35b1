import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type GrantRow, type LockedGrant, lockedGrants, type UsedGrant } from "../../claims/grant.ts";
import type { GrantClaim } from "../../ports/claims.ts";

/** Whether no key that approved was revoked since: a revocation takes back what its key approved. */
export const NOT_REVOKED = `NOT EXISTS (
  SELECT 1 FROM json_each(grants.approvers) AS a JOIN keys AS k ON k.id = a.value
    WHERE k.status = 'revoked')`;

/** Grants, in the transaction of a batch. */
export class SqliteGrants {
  readonly #select: StatementSync;
  readonly #use: StatementSync;
  readonly #note: StatementSync;

  constructor(connection: DatabaseSync) {
    this.#select = connection.prepare(
      `SELECT org, approval_id, binding, expires_at_ms, used_log_id, used_seq, max_uses, uses FROM grants
        WHERE org = ? AND approval_id = ? AND ${NOT_REVOKED}`,
    );
    this.#use = connection.prepare(
      `UPDATE grants SET uses = uses + ?1, used_log_id = ?2, used_seq = ?3, used_at_ms = ?4
        WHERE org = ?5 AND approval_id = ?6 AND used_seq IS NULL AND uses + ?1 <= max_uses`,
    );
    this.#note = connection.prepare(
      "INSERT INTO grant_uses (log_id, seq, org, approval_id) VALUES (?, ?, ?, ?)",
    );
  }

  read(claims: readonly GrantClaim[]): ReadonlyMap<string, LockedGrant> {
    const rows = claims.flatMap(({ org, approvalId }) => this.#select.all(org, approvalId));
    return lockedGrants(rows as unknown as readonly GrantRow[]);
  }

  /** @throws when a grant is used up already, although the judgement said otherwise. */
  write(used: Iterable<UsedGrant>): void {
    for (const { claim, positions, isUsedUp, isShared } of used) {
      const { org, approvalId, atMs } = claim;
      const last = isUsedUp ? positions.at(-1) : undefined;
      const by = [last?.logId ?? null, last?.seq ?? null] as const;
      const { changes } = this.#use.run(positions.length, ...by, atMs, org, approvalId);
      if (changes !== 1) throw new Error(`the grant of ${approvalId}: expected to use it, but it is used`);
      if (!isShared) continue;
      for (const { logId, seq } of positions) this.#note.run(logId, seq, org, approvalId);
    }
  }
}
