import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type GrantRow, type HeldGrant, heldGrants, type UsedGrant } from "../../claims/grant.ts";
import type { GrantClaim } from "../../ports/claims.ts";

/** Whether no key that approved was revoked since: a revocation takes back what its key approved. */
export const NOT_REVOKED = `NOT EXISTS (
  SELECT 1 FROM json_each(grants.approvers) AS a JOIN keys AS k ON k.id = a.value
    WHERE k.status = 'revoked')`;

/** Grants, in the transaction of a batch. */
export class SqliteGrants {
  readonly #select: StatementSync;
  readonly #use: StatementSync;

  constructor(connection: DatabaseSync) {
    this.#select = connection.prepare(
      `SELECT org, approval_id, binding, expires_at_ms, used_log_id, used_seq FROM grants
        WHERE org = ? AND approval_id = ? AND ${NOT_REVOKED}`,
    );
    this.#use = connection.prepare(
      `UPDATE grants SET used_log_id = ?, used_seq = ? 
        WHERE org = ? AND approval_id = ? AND used_seq IS NULL`,
    );
  }

  read(claims: readonly GrantClaim[]): ReadonlyMap<string, HeldGrant> {
    const rows = claims.flatMap(({ org, approvalId }) => this.#select.all(org, approvalId));
    return heldGrants(rows as unknown as readonly GrantRow[]);
  }

  /** @throws when a grant is used already, although the judgement said otherwise. */
  write(used: Iterable<UsedGrant>): void {
    for (const { claim, position } of used) {
      const { changes } = this.#use.run(position.logId, position.seq, claim.org, claim.approvalId);
      if (changes !== 1)
        throw new Error(`the grant of ${claim.approvalId}: expected to use it, but it is used`);
    }
  }
}
