import type { Claims, CounterClaim, OpenLimits } from "./claims.ts";
import type { RowPosition } from "./row-position.ts";
import type { SessionKey, SessionUsage } from "./session-usage.ts";

/**
 * One row to append. `row` is the canonical JSON text whose UTF-8 bytes are stored and hashed as they stand.
 */
export interface LedgerEntry {
  readonly row: string;
  readonly claims: Claims;
}

/**
 * The outcome of one entry. Only `committed` wrote a row and took the claims. `repeated` notes that the
 * earlier decision was given again. No other outcome writes anything.
 */
export type LedgerOutcome =
  | { readonly kind: "committed"; readonly position: RowPosition }
  | { readonly kind: "refused"; readonly ceiling: "max_steps" | "max_cost"; readonly usage: SessionUsage }
  | { readonly kind: "stale"; readonly usage: SessionUsage }
  /** The same request has the row at `position` under this key. */
  | { readonly kind: "repeated"; readonly position: RowPosition }
  /** Another request holds this key. */
  | { readonly kind: "key_conflict" }
  /** No grant of this id is for this call. */
  | { readonly kind: "grant_missing" }
  | { readonly kind: "grant_expired" }
  /** The row at `position` has used the grant. */
  | { readonly kind: "grant_used"; readonly position: RowPosition }
  /** An approval of this binding is open, since the row at `position`. */
  | { readonly kind: "approval_open"; readonly approvalId: string; readonly position: RowPosition }
  /** The approval was given, and its grant is unused: nothing needs to be asked. */
  | { readonly kind: "granted"; readonly approvalId: string }
  /** As many approvals of the organization are open as may be. */
  | { readonly kind: "approvals_full"; readonly of: keyof OpenLimits }
  /** The same call is held, since the row at `position`. */
  | { readonly kind: "call_held"; readonly heldCallId: string; readonly position: RowPosition }
  /** As many calls of the agent are held as may be. */
  | { readonly kind: "held_calls_full" }
  /** The organization has no workflow of the name in the claim. */
  | { readonly kind: "workflow_missing" };

/**
 * A report of how a decided call ended. `row` is appended only when the report is the first for its decision.
 */
export interface Settlement {
  readonly org: string;
  readonly decision: RowPosition;
  /** Identifies the report: the same digest again is a repeat, another one a conflict. */
  readonly digest: string;
  readonly status: string;
  /** Changes of what sessions have used; the store never lets a sum fall below zero. */
  readonly charges: readonly Pick<CounterClaim, "key" | "steps" | "costMicroUsd">[];
  readonly row: string;
  /**
   * What becomes of the idempotency key that the decision holds. `released`: the call is decided anew when it
   * is repeated. `released_unless_repeated`: when a repeat was answered with the decision, or another row has
   * the key, the settlement does not take place and the outcome is `in_use`.
   */
  readonly idempotencyKey: "kept" | "released" | "released_unless_repeated";
  /** Whether a grant that the decision used can be used again. */
  readonly grant: "kept" | "released";
}

export type SettlementOutcome =
  | { readonly kind: "settled" }
  | { readonly kind: "repeated" }
  | { readonly kind: "conflict" }
  | { readonly kind: "in_use" };

/**
 * The durable, hash-chained ledger of one writer.
 *
 * `commit` is one transaction for the whole batch: claims in batch order, then the rows of the entries that
 * were not refused, with contiguous sequence numbers. It resolves only when the rows would survive kill
 * -9 and loss of power; it rejects when nothing of the batch was written or when that is unknown. Callers
 * keep one commit in flight. A store whose file was unlinked or replaced rejects, and so
 * does one whose log was set back since this process last wrote or opened it. After a rejection the next
 * call starts afresh: no restart is needed once the cause is gone.
 */
export interface Ledger {
  commit(entries: readonly LedgerEntry[]): Promise<readonly LedgerOutcome[]>;
  settle(settlement: Settlement): Promise<SettlementOutcome>;
  /** Usage as committed; zeros for an unknown session. */
  usage(key: SessionKey): Promise<SessionUsage>;
}
