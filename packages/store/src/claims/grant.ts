import type { GrantClaim } from "../ports/claims.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { NotCommitted } from "./not-committed.ts";

/** A grant as stored. `usedBy`: the row of the call that has used it. */
export interface HeldGrant {
  readonly binding: string;
  readonly expiresAtMs: number;
  readonly usedBy: RowPosition | null;
}

/** A grant that the batch uses, and the row that does. */
export interface UsedGrant {
  readonly claim: GrantClaim;
  readonly position: RowPosition;
}

/** One text per grant, unambiguous whatever its parts hold. */
export function grantText({ org, approvalId }: Pick<GrantClaim, "org" | "approvalId">): string {
  return `${String(org.length)}.${org}${approvalId}`;
}

/** The row type of both databases. */
export interface GrantRow {
  readonly org: string;
  readonly approval_id: string;
  readonly binding: string;
  readonly expires_at_ms: number;
  readonly used_log_id: string | null;
  readonly used_seq: number | null;
}

/** Grants by grant text. */
export function heldGrants(rows: readonly GrantRow[]): ReadonlyMap<string, HeldGrant> {
  return new Map(
    rows.map((row) => {
      const { used_log_id: logId, used_seq: seq } = row;
      const usedBy = logId === null || seq === null ? null : { logId, seq };
      const grant = { binding: row.binding, expiresAtMs: row.expires_at_ms, usedBy };
      return [grantText({ org: row.org, approvalId: row.approval_id }), grant];
    }),
  );
}

/** Judges the uses of grants in one batch, each against the ones before it. */
export class GrantJudge {
  readonly #grants: ReadonlyMap<string, HeldGrant>;
  readonly used = new Map<string, UsedGrant>();

  /** @param grants as committed, by grant text */
  constructor(grants: ReadonlyMap<string, HeldGrant>) {
    this.#grants = grants;
  }

  refusal(claim: GrantClaim): NotCommitted | null {
    const text = grantText(claim);
    const grant = this.#grants.get(text);
    // A grant for another call is answered like a missing one, so that it discloses nothing.
    if (grant === undefined || grant.binding !== claim.binding) return { kind: "grant_missing" };
    const position = this.used.get(text)?.position ?? grant.usedBy;
    if (position !== null) return { kind: "grant_used", position };
    return claim.atMs < grant.expiresAtMs ? null : { kind: "grant_expired" };
  }

  take(claim: GrantClaim, position: RowPosition): void {
    this.used.set(grantText(claim), { claim, position });
  }
}
