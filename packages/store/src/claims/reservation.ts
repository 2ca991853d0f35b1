import type { Reservation } from "../ports/claims.ts";
import type { LedgerOutcome } from "../ports/ledger.ts";
import type { SessionKey, SessionUsage } from "../ports/session-usage.ts";

/** Why an entry wrote nothing. */
export type NotCommitted = Exclude<LedgerOutcome, { readonly kind: "committed" }>;

export interface Judgement {
  /** One per entry, in batch order; null: its row is to be appended. */
  readonly verdicts: readonly (NotCommitted | null)[];
  /** New usage of every session that was charged, by session key text. */
  readonly charged: ReadonlyMap<string, SessionUsage>;
}

export const NO_USAGE: SessionUsage = { steps: 0, costMicroUsd: 0 };

/** One text per session key, unambiguous whatever its parts hold: lengths stand in front. */
export function sessionKeyText({ org, agentId, sessionId }: SessionKey): string {
  return `${String(org.length)}.${String(agentId.length)}.${org}${agentId}${sessionId}`;
}

/**
 * Judges the reservations of one batch in order, each against what the ones before it have left.
 * `usages` holds the usage of sessions as committed, by session key text; an absent one is unused.
 * @throws RangeError on an amount that is no count: a defect of the caller that must not reach the sums.
 */
export function judgeReservations(
  reservations: readonly (Reservation | null)[],
  usages: ReadonlyMap<string, SessionUsage>,
): Judgement {
  const charged = new Map<string, SessionUsage>();
  const verdicts = reservations.map((reservation) => {
    if (reservation === null) return null;
    const key = sessionKeyText(reservation.key);
    const usage = charged.get(key) ?? usages.get(key) ?? NO_USAGE;
    const verdict = judge(reservation, usage);
    if (verdict === null) charged.set(key, addUsage(usage, reservation));
    return verdict;
  });
  return { verdicts, charged };
}

function judge(reservation: Reservation, usage: SessionUsage): NotCommitted | null {
  const { observed, maxSteps, maxCostMicroUsd } = reservation;
  requireCount(reservation.steps, "steps");
  requireCount(reservation.costMicroUsd, "costMicroUsd");
  if (observed !== null && !sameUsage(observed, usage)) return { kind: "stale", usage };
  const after = addUsage(usage, reservation);
  if (maxSteps !== null && !(after.steps <= maxSteps)) {
    return { kind: "refused", ceiling: "max_steps", usage };
  }
  if (maxCostMicroUsd !== null && !(after.costMicroUsd <= maxCostMicroUsd)) {
    return { kind: "refused", ceiling: "max_cost", usage };
  }
  return null;
}

function sameUsage(a: SessionUsage, b: SessionUsage): boolean {
  return a.steps === b.steps && a.costMicroUsd === b.costMicroUsd;
}

/**
 * Adds a change to a usage. Never below zero: giving back more than was taken would buy budget. Never above
 * the largest exact integer: a saturated sum still exceeds every ceiling, a rounded one might not.
 */
export function addUsage(usage: SessionUsage, change: SessionUsage): SessionUsage {
  return {
    steps: clamp(usage.steps + change.steps),
    costMicroUsd: clamp(usage.costMicroUsd + change.costMicroUsd),
  };
}

function clamp(sum: number): number {
  return Math.min(Math.max(sum, 0), Number.MAX_SAFE_INTEGER);
}

function requireCount(value: number, name: string): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`reservation ${name}: expected a whole number of at least 0, got ${String(value)}`);
  }
}
