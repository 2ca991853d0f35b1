import type { Settlement, SettlementOutcome } from "./ports/ledger.ts";
import type { SettlementStore } from "./sql/settlement-store.ts";

/** Settlements in one transaction, as count: bounds its time, and its bound parameters. */
const MAX_BATCH = 256;

interface Waiting {
  readonly settlement: Settlement;
  resolve(outcome: SettlementOutcome): void;
  reject(error: unknown): void;
}

/** Group commit of reports: what arrives while one batch is being settled goes into the next. */
export class SettlementQueue {
  readonly #store: Pick<SettlementStore, "settleBatch">;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;

  constructor(store: Pick<SettlementStore, "settleBatch">) {
    this.#store = store;
  }

  /** Rejects when the batch that the settlement was in was not settled, or when that is unknown. */
  settle(settlement: Settlement): Promise<SettlementOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<SettlementOutcome>();
    this.#waiting.push({ settlement, resolve, reject });
    this.#running ??= this.#run();
    return promise;
  }

  /** Resolves when every settlement that was handed over has been answered. */
  async drain(): Promise<void> {
    await this.#running;
  }

  /** Never rejects: a failure goes to the callers whose settlements were in the batch. */
  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#settleNext(this.#waiting.splice(0, MAX_BATCH));
    this.#running = null;
  }

  async #settleNext(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#store.settleBatch(batch.map(({ settlement }) => settlement));
      for (const [index, waiting] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) waiting.reject(new Error("the store answered for fewer settlements"));
        else waiting.resolve(outcome);
      }
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}
