import type { Reservation } from "../ports/claims.ts";
import type { SessionKey, SessionUsage } from "../ports/session-usage.ts";
import type { NotCommitted } from "./not-committed.ts";

/** A session and what it has used once the batch is written. */
export interface ChargedSession {
  readonly key: SessionKey;
  readonly usage: SessionUsage;
}

export const NO_USAGE: SessionUsage = { steps: 0, costMicroUsd: 0 };

/** One text per session key, unambiguous whatever its parts hold: lengths stand in front. */
export function sessionKeyText({ org, agentId, sessionId }: SessionKey): string {
  return `${String(org.length)}.${String(agentId.length)}.${org}${agentId}${sessionId}`;
}

/** The row type of both databases. */
export interface UsageRow {
  readonly org: string;
  readonly agent_id: string;
  readonly session_id: string;
  readonly steps: number;
  readonly cost_micro_usd: number;
}

/** Usages by session key text. */
export function usagesOf(rows: readonly UsageRow[]): ReadonlyMap<string, SessionUsage> {
  return new Map(
    rows.map(({ org, agent_id, session_id, steps, cost_micro_usd }) => [
      sessionKeyText({ org, agentId: agent_id, sessionId: session_id }),
      { steps, costMicroUsd: cost_micro_usd },
    ]),
  );
}

/** Judges the reservations of one batch, each against what the ones before it have left. */
export class ReservationJudge {
  readonly #usages: ReadonlyMap<string, SessionUsage>;
  /** Every session that was charged, by session key text. */
  readonly charged = new Map<string, ChargedSession>();

  /** @param usages of sessions as committed, by session key text; an absent one is unused */
  constructor(usages: ReadonlyMap<string, SessionUsage>) {
    this.#usages = usages;
  }

  /** @throws RangeError on an amount that is not a count, a defect of the caller that must not reach sums. */
  refusal(reservation: Reservation): NotCommitted | null {
    const { observed, maxSteps, maxCostMicroUsd } = reservation;
    requireCount(reservation.steps, "steps");
    requireCount(reservation.costMicroUsd, "costMicroUsd");
    const usage = this.#usage(reservation.key);
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

  take(reservation: Reservation): void {
    const { key } = reservation;
    this.charged.set(sessionKeyText(key), { key, usage: addUsage(this.#usage(key), reservation) });
  }

  #usage(key: SessionKey): SessionUsage {
    const text = sessionKeyText(key);
    return this.charged.get(text)?.usage ?? this.#usages.get(text) ?? NO_USAGE;
  }
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
