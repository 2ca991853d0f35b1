import type { GrantClaim } from "../ports/claims.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { NotCommitted } from "./not-committed.ts";

/** A grant as stored. `usedBy`: the row of the call that has used it up. */
export interface LockedGrant {
  readonly binding: string;
  readonly expiresAtMs: number;
  readonly usedBy: RowPosition | null;
  /** Calls that it covers, and those that have used it. */
  readonly maxUses: number;
  readonly uses: number;
}

/** What the batch uses of a grant. */
export interface UsedGrant {
  /** The last use. */
  readonly claim: GrantClaim;
  /** The rows that use it, in their order. */
  readonly positions: readonly RowPosition[];
  /** Whether the last of them leaves nothing. */
  readonly isUsedUp: boolean;
  /** Whether it covers more than one call. */
  readonly isShared: boolean;
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
  readonly max_uses: number;
  readonly uses: number;
}

/** Grants by grant text. */
export function lockedGrants(rows: readonly GrantRow[]): ReadonlyMap<string, LockedGrant> {
  return new Map(
    rows.map((row) => {
      const { used_log_id: logId, used_seq: seq } = row;
      const usedBy = logId === null || seq === null ? null : { logId, seq };
      const { binding, expires_at_ms: expiresAtMs, max_uses: maxUses, uses } = row;
      const grant = { binding, expiresAtMs, usedBy, maxUses, uses };
      return [grantText({ org: row.org, approvalId: row.approval_id }), grant];
    }),
  );
}

/** Judges the uses of grants in one batch, each against the ones before it. */
export class GrantJudge {
  readonly #grants: ReadonlyMap<string, LockedGrant>;
  readonly used = new Map<string, UsedGrant>();

  /** @param grants as committed, by grant text */
  constructor(grants: ReadonlyMap<string, LockedGrant>) {
    this.#grants = grants;
  }

  refusal(claim: GrantClaim): NotCommitted | null {
    const text = grantText(claim);
    const grant = this.#grants.get(text);
    // A grant for another call is answered like a missing one, so that it discloses nothing.
    if (grant === undefined || grant.binding !== claim.binding) return { kind: "grant_missing" };
    const taken = this.used.get(text);
    const position = taken?.isUsedUp === true ? (taken.positions.at(-1) ?? null) : grant.usedBy;
    if (position !== null) return { kind: "grant_used", position };
    if (!(grant.uses + (taken?.positions.length ?? 0) < grant.maxUses)) return { kind: "grant_missing" };
    return claim.atMs < grant.expiresAtMs ? null : { kind: "grant_expired" };
  }

  /** Only after `refusal` had nothing against the claim. */
  take(claim: GrantClaim, position: RowPosition): void {
    const text = grantText(claim);
    const { uses, maxUses } = this.#grants.get(text) ?? { uses: 0, maxUses: 1 };
    const positions = [...(this.used.get(text)?.positions ?? []), position];
    const isUsedUp = uses + positions.length >= maxUses;
    this.used.set(text, { claim, positions, isUsedUp, isShared: maxUses > 1 });
  }
}
