import type { IdempotencyClaim } from "../ports/claims.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { NotCommitted } from "./not-committed.ts";

/** Who holds an idempotency key, as stored. */
export interface LockedKey {
  readonly requestDigest: string;
  readonly position: RowPosition;
  readonly expiresAtMs: number;
  /** Whether the row's decision was given to a repeat: then it can no longer be withdrawn. */
  readonly repeated: boolean;
}

export type KeyName = Pick<IdempotencyClaim, "org" | "keyDigest">;

/** A key, and the row that holds it after the batch is written. */
export interface ChangedKey {
  readonly name: KeyName;
  readonly holder: LockedKey;
}

/** One text per key of an organization, unambiguous whatever its parts hold. */
export function keyText({ org, keyDigest }: KeyName): string {
  return `${String(org.length)}.${org}${keyDigest}`;
}

/** The row type of both databases. `repeated` is 0 or 1. */
export interface KeyRow {
  readonly org: string;
  readonly key_digest: string;
  readonly request_digest: string;
  readonly log_id: string;
  readonly seq: number;
  readonly expires_at_ms: number;
  readonly repeated: number;
}

/** Keys by key text. */
export function lockedKeys(rows: readonly KeyRow[]): ReadonlyMap<string, LockedKey> {
  return new Map(
    rows.map((row) => [
      keyText({ org: row.org, keyDigest: row.key_digest }),
      {
        requestDigest: row.request_digest,
        position: { logId: row.log_id, seq: row.seq },
        expiresAtMs: row.expires_at_ms,
        repeated: row.repeated !== 0,
      },
    ]),
  );
}

/** Judges the idempotency keys of one batch, each against what the ones before it took. */
export class IdempotencyJudge {
  readonly #held: ReadonlyMap<string, LockedKey>;
  /** Every key that the batch gives another holder, or whose decision it repeats. */
  readonly changed = new Map<string, ChangedKey>();

  /** @param held keys as committed, by key text; an absent one is free */
  constructor(held: ReadonlyMap<string, LockedKey>) {
    this.#held = held;
  }

  refusal(claim: IdempotencyClaim): NotCommitted | null {
    const text = keyText(claim);
    const holder = this.changed.get(text)?.holder ?? this.#held.get(text);
    if (holder === undefined || holder.expiresAtMs <= claim.atMs) return null;
    if (holder.requestDigest !== claim.requestDigest) return { kind: "key_conflict" };
    if (claim.replaces !== null && samePosition(holder.position, claim.replaces)) return null;
    if (!holder.repeated) this.changed.set(text, { name: claim, holder: { ...holder, repeated: true } });
    return { kind: "repeated", position: holder.position };
  }

  take(claim: IdempotencyClaim, position: RowPosition): void {
    const { requestDigest, expiresAtMs } = claim;
    const holder = { requestDigest, position, expiresAtMs, repeated: false };
    this.changed.set(keyText(claim), { name: claim, holder });
  }
}

function samePosition(a: RowPosition, b: RowPosition): boolean {
  return a.logId === b.logId && a.seq === b.seq;
}
