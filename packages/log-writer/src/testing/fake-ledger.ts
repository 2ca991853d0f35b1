import { setImmediate as nextTurn } from "node:timers/promises";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type {
  Ledger,
  LedgerEntry,
  LedgerOutcome,
  Settlement,
  SettlementOutcome,
} from "@svc/store/ports/ledger";
import type { Reservation } from "@svc/store/ports/claims";
import type { SessionKey, SessionUsage } from "@svc/store/ports/session-usage";

const NOTHING_USED: SessionUsage = { steps: 0, costMicroUsd: 0 };

/** A ledger in memory with the semantics of the port, and switches for the faults a store can have. */
export class FakeLedger implements Ledger {
  readonly rows: string[] = [];
  readonly settlements: Settlement[] = [];
  readonly batches: number[] = [];
  readonly used = new Map<string, SessionUsage>();
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
    this.settlements.push(settlement);
    this.rows.push(settlement.row);
    if (settlement.charge !== null) this.#charge(settlement.charge);
    return { kind: "settled" };
  }

  async usage(key: SessionKey): Promise<SessionUsage> {
    return this.used.get(JSON.stringify(key)) ?? NOTHING_USED;
  }

  #commitOne({ row, claims: { reservation } }: LedgerEntry): LedgerOutcome {
    if (reservation !== null) {
      const { key, observed, maxSteps, maxCostMicroUsd } = reservation;
      const usage = this.used.get(JSON.stringify(key)) ?? NOTHING_USED;
      const moved = observed !== null && JSON.stringify(observed) !== JSON.stringify(usage);
      if (moved) return { kind: "stale", usage };
      if (maxSteps !== null && usage.steps + reservation.steps > maxSteps) {
        return { kind: "refused", ceiling: "max_steps", usage };
      }
      if (maxCostMicroUsd !== null && usage.costMicroUsd + reservation.costMicroUsd > maxCostMicroUsd) {
        return { kind: "refused", ceiling: "max_cost", usage };
      }
      this.#charge(reservation);
    }
    this.rows.push(row);
    return { kind: "committed", position: { logId: "gw_test", seq: this.rows.length - 1 } };
  }

  #charge({ key, steps, costMicroUsd }: Pick<Reservation, "key" | "steps" | "costMicroUsd">) {
    const usage = this.used.get(JSON.stringify(key)) ?? NOTHING_USED;
    this.used.set(JSON.stringify(key), {
      steps: usage.steps + steps,
      costMicroUsd: usage.costMicroUsd + costMicroUsd,
    });
  }
}

/** The audit store's reading side over the rows of a ledger in memory. */
export function auditOver({ rows }: Pick<FakeLedger, "rows">): AuditStore {
  const row: AuditStore["row"] = async ({ logId, seq }) => {
    const text = rows[seq];
    const hash = new Uint8Array(32);
    if (logId !== "gw_test" || text === undefined) return null;
    return { logId, seq, prevHash: hash, hash, bytes: Buffer.from(text) };
  };
  return { row } as unknown as AuditStore;
}
