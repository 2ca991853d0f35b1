import type { CounterClaim } from "../ports/claims.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
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

/** The counters that a batch adds to, one claim for each. They must be read before the claims are judged. */
export function countersOf(entries: readonly Pick<LedgerEntry, "claims">[]): readonly CounterClaim[] {
  const made = entries.flatMap(({ claims }) => claims.counters);
  return [...new Map(made.map((claim) => [sessionKeyText(claim.key), claim])).values()];
}

/** Judges the counter claims of one batch, each against what the ones before it have left. */
export class CounterJudge {
  readonly #usages: ReadonlyMap<string, SessionUsage>;
  /** Every session that was charged, by session key text. */
  readonly charged = new Map<string, ChargedSession>();

  /** @param usages of sessions as committed, by session key text; an absent one is unused */
  constructor(usages: ReadonlyMap<string, SessionUsage>) {
    this.#usages = usages;
  }

  /**
   * The first refusal of the claims of one entry; null when all can be taken.
   * @throws RangeError on an amount that is not a count, or on two claims of one counter: a defect of the
   * caller that must not reach sums
   */
  refusal(claims: readonly CounterClaim[]): NotCommitted | null {
    if (claims.length > 1 && new Set(claims.map(({ key }) => sessionKeyText(key))).size < claims.length)
      throw new RangeError("an entry claims a counter twice");
    for (const claim of claims) {
      const refusal = this.#refusal(claim);
      if (refusal !== null) return refusal;
    }
    return null;
  }

  #refusal(claim: CounterClaim): NotCommitted | null {
    const { observed, maxSteps, maxCostMicroUsd } = claim;
    requireCount(claim.steps, "steps");
    requireCount(claim.costMicroUsd, "costMicroUsd");
    const usage = this.#usage(claim.key);
    if (observed !== null && !sameUsage(observed, usage)) return { kind: "stale", usage };
    const after = addUsage(usage, claim);
    if (maxSteps !== null && !(after.steps <= maxSteps)) {
      return { kind: "refused", ceiling: "max_steps", usage };
    }
    if (maxCostMicroUsd !== null && !(after.costMicroUsd <= maxCostMicroUsd)) {
      return { kind: "refused", ceiling: "max_cost", usage };
    }
    return null;
  }

  take(claims: readonly CounterClaim[]): void {
    for (const claim of claims) {
      const { key } = claim;
      this.charged.set(sessionKeyText(key), { key, usage: addUsage(this.#usage(key), claim) });
    }
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
    throw new RangeError(`counter ${name}: expected a whole number of at least 0, got ${String(value)}`);
  }
}
