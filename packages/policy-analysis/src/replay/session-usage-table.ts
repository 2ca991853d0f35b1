import { MAX_REPLAYED_CHARGES, MAX_REPLAYED_SESSIONS } from "@svc/contract/limits";

/** What one session has used in a replay. */
export interface ReplayedUsage {
  steps: number;
  costMicroUsd: number;
  /** Whether a decision that a mask hid may have charged the session or not. */
  isUncertain: boolean;
}

interface Charge {
  readonly usage: ReplayedUsage;
  readonly costMicroUsd: number;
}

/** The sessions of a replay, rebuilt from what the candidate allows. */
export class SessionUsageTable {
  readonly #usages = new Map<string, ReplayedUsage>();
  /** Charges that an outcome may still change, by decision id, oldest first. */
  readonly #charges = new Map<string, Charge>();
  readonly #sharers: number;
  outcomesApplied = 0;

  /** @param sharers how many tables share the memory of one replay */
  constructor(sharers = 1) {
    this.#sharers = sharers;
  }

  get size(): number {
    return this.#usages.size;
  }

  /** Null when no further session can be kept. `seed`: what the row of its first call says it had used. */
  usageOf(
    agentId: string,
    sessionId: string,
    seed: { readonly steps: number; readonly costMicroUsd: number } | null,
  ): ReplayedUsage | null {
    const key = `${String(agentId.length)}.${agentId}${sessionId}`;
    const known = this.#usages.get(key);
    if (known !== undefined) return known;
    if (this.#usages.size * this.#sharers >= MAX_REPLAYED_SESSIONS) return null;
    const usage = { steps: seed?.steps ?? 0, costMicroUsd: seed?.costMicroUsd ?? 0, isUncertain: false };
    this.#usages.set(key, usage);
    return usage;
  }

  charge(decisionId: string, usage: ReplayedUsage, costMicroUsd: number): void {
    usage.steps += 1;
    usage.costMicroUsd += costMicroUsd;
    this.#charges.set(decisionId, { usage, costMicroUsd });
    if (this.#charges.size * this.#sharers <= MAX_REPLAYED_CHARGES) return;
    const [oldest] = this.#charges.keys();
    if (oldest !== undefined) this.#charges.delete(oldest);
  }

  /** An outcome settles the charge of its decision once. Null: the call cost what was reserved. */
  settle(
    decisionId: string,
    { isExecuted, costMicroUsd }: { isExecuted: boolean; costMicroUsd: number | null },
  ): void {
    const charge = this.#charges.get(decisionId);
    if (charge === undefined) return;
    this.#charges.delete(decisionId);
    this.outcomesApplied += 1;
    const { usage, costMicroUsd: reserved } = charge;
    if (!isExecuted) usage.steps = Math.max(0, usage.steps - 1);
    const cost = isExecuted ? (costMicroUsd ?? reserved) : 0;
    usage.costMicroUsd = Math.max(0, usage.costMicroUsd + cost - reserved);
  }
}
