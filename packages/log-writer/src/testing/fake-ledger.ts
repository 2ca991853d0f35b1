import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type {
  Ledger,
  LedgerEntry,
  LedgerOutcome,
  Settlement,
  SettlementOutcome,
} from "@svc/store/ports/ledger";
import type { SessionKey, SessionUsage } from "@svc/store/ports/session-usage";
import { ClaimsInMemory } from "@svc/store/testing/claims-in-memory";

const LOG_ID = "gw_test";

/** A ledger in memory with the semantics of the port, and switches for the faults a store can have. */
export class FakeLedger implements Ledger {
  readonly rows: string[] = [];
  readonly settlements: Settlement[] = [];
  readonly batches: number[] = [];
  readonly claims = new ClaimsInMemory();
  /** Runs before each commit takes effect: throw to fail it, wait to slow it down. */
  beforeCommit: () => Promise<void> = async () => nextTurn();

  async commit(entries: readonly LedgerEntry[]): Promise<readonly LedgerOutcome[]> {
    this.batches.push(entries.length);
    await this.beforeCommit();
    return entries.map((entry) => this.#commitOne(entry));
  }

  async settle(settlement: Settlement): Promise<SettlementOutcome> {
    const before = this.settlements.find(({ decision }) => decision.seq === settlement.decision.seq);
    if (before !== undefined) return { kind: before.digest === settlement.digest ? "repeated" : "conflict" };
    if (!this.claims.settle(settlement)) return { kind: "in_use" };
    this.settlements.push(settlement);
    this.rows.push(settlement.row);
    return { kind: "settled" };
  }

  async usage(key: SessionKey): Promise<SessionUsage> {
    return this.claims.usage(key);
  }

  #commitOne(entry: LedgerEntry): LedgerOutcome {
    const position = { logId: LOG_ID, seq: this.rows.length };
    const refusal = this.claims.take(entry, position);
    if (refusal !== null) return refusal;
    this.rows.push(entry.row);
    return { kind: "committed", position };
  }
}

/** The audit store's reading side over the rows of a ledger in memory. */
export function auditOver({ rows }: Pick<FakeLedger, "rows">): AuditStore {
  const row: AuditStore["row"] = async ({ logId, seq }) => {
    const text = rows[seq];
    const hash = new Uint8Array(32);
    if (logId !== LOG_ID || text === undefined) return null;
    return { logId, seq, prevHash: hash, hash, bytes: Buffer.from(text) };
  };
  return { row } as unknown as AuditStore;
}
