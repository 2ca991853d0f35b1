import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ledger } from "@svc/store/ports/ledger";
import { openMemoryStore } from "@svc/store/testing/memory-store";

/** The ledger of a store in memory, with a place for the faults that a store can have. */
export class TestLedger implements Ledger {
  readonly store = openMemoryStore({ logId: "gw_test" });
  /** How many entries each commit had. */
  readonly batches: number[] = [];
  /** Runs before each commit takes effect: throw to fail it, wait to slow it down. */
  beforeCommit: () => Promise<void> = async () => nextTurn();

  /** A test may replace this function. */
  commit: Ledger["commit"] = async (entries) => {
    this.batches.push(entries.length);
    await this.beforeCommit();
    return this.store.ledger.commit(entries);
  };
  settle: Ledger["settle"] = (settlement) => this.store.ledger.settle(settlement);
  usage: Ledger["usage"] = (key) => this.store.ledger.usage(key);

  /** The text of each row, in order. */
  get rows(): readonly string[] {
    return this.store.rowTexts();
  }
}
