import { type ClaimState, judgeClaims } from "../claims/judge-claims.ts";
import { keyText } from "../claims/idempotency.ts";
import type { NotCommitted } from "../claims/not-committed.ts";
import { addUsage, NO_USAGE, sessionKeyText } from "../claims/reservation.ts";
import type { IdempotencyStore } from "../ports/idempotency-store.ts";
import type { LedgerEntry, Settlement } from "../ports/ledger.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { SessionKey, SessionUsage } from "../ports/session-usage.ts";

type ValueOf<Stored> = Stored extends ReadonlyMap<string, infer Value> ? Value : never;

/** The claims of a ledger that a test keeps in memory, by the rules of the real ones. */
export class ClaimsInMemory {
  readonly #stored: { readonly [Kind in keyof ClaimState]: Map<string, ValueOf<ClaimState[Kind]>> } = {
    usages: new Map(),
    grants: new Map(),
    approvals: new Map(),
    keys: new Map(),
  };

  /** Takes the claims of the entry whose row would stand at `position`. Null when they were taken. */
  take(entry: Pick<LedgerEntry, "claims">, position: RowPosition): NotCommitted | null {
    const { verdicts, taken } = judgeClaims([entry], this.#stored, position);
    for (const [text, { holder }] of taken.keys.changed) this.#stored.keys.set(text, holder);
    for (const [text, { usage }] of taken.reservations.charged) this.#stored.usages.set(text, usage);
    return verdicts[0] ?? null;
  }

  /** Changes usage and key as the settlement says. False when it must not take place. */
  settle({ charge, decision, idempotencyKey }: Settlement): boolean {
    const held = [...this.#stored.keys].find(([, { position }]) => position.seq === decision.seq);
    if (idempotencyKey === "released_unless_repeated" && held?.[1].repeated !== false) return false;
    if (idempotencyKey !== "kept" && held !== undefined) this.#stored.keys.delete(held[0]);
    if (charge !== null) this.setUsage(charge.key, addUsage(this.usage(charge.key), charge));
    return true;
  }

  usage(key: SessionKey): SessionUsage {
    return this.#stored.usages.get(sessionKeyText(key)) ?? NO_USAGE;
  }

  setUsage(key: SessionKey, usage: SessionUsage): void {
    this.#stored.usages.set(sessionKeyText(key), usage);
  }

  readonly keyHolder: IdempotencyStore["keyHolder"] = async (key, atMs) => {
    const held = this.#stored.keys.get(keyText(key));
    return held === undefined || held.expiresAtMs <= atMs ? null : held.position;
  };
}
