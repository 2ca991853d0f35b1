import type { AuditStore } from "@svc/store/ports/audit-store";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { PolicyAssignmentRecord } from "@svc/contract/policy-record";
import type { ControlChange, ControlEvent, ControlFeedStore } from "@svc/store/ports/control-store";
import type {
  Ledger,
  LedgerEntry,
  LedgerOutcome,
  SessionKey,
  SessionUsage,
  Settlement,
  SettlementOutcome,
} from "@svc/store/ports/ledger";

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

  #commitOne({ row, reservation }: LedgerEntry): LedgerOutcome {
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

  #charge({
    key,
    steps,
    costMicroUsd,
  }: Pick<NonNullable<LedgerEntry["reservation"]>, "key" | "steps" | "costMicroUsd">) {
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

/** A control feed in memory: `put` is what a control-plane transaction would have committed. */
export class FakeFeed implements ControlFeedStore {
  readonly events: ControlEvent[] = [];
  beforeRead: () => Promise<void> = async () => nextTurn();

  async snapshot() {
    await this.beforeRead();
    return { revision: this.events.length, changes: this.events.map(({ org, change }) => ({ org, change })) };
  }

  async eventsAfter(revision: number, limit: number): Promise<readonly ControlEvent[]> {
    await this.beforeRead();
    return this.events.filter((event) => event.revision > revision).slice(0, limit);
  }

  put(change: ControlChange, org = "default"): number {
    this.events.push({ revision: this.events.length + 1, org, change });
    return this.events.length;
  }

  putPolicy(
    policyId: string,
    source: string,
    binding: { agent_id: string } | { namespace_id: string },
  ): void {
    this.put({ kind: "policy", policyId, version: 1, enabled: true, source });
    const record: PolicyAssignmentRecord = {
      id: `asg_${policyId}`,
      policy_id: policyId,
      agent_id: null,
      namespace_id: null,
      created_at: "2026-01-01T00:00:00.000Z",
      created_by: "test",
      ...binding,
    };
    this.put({ kind: "assignment", record, removed: false });
  }

  putSwitch(known: Partial<KillSwitchRecord>): KillSwitchRecord {
    const record = killSwitch(known);
    this.put({ kind: "kill_switch", record });
    return record;
  }
}

export function killSwitch(known: Partial<KillSwitchRecord>): KillSwitchRecord {
  return {
    kill_switch_id: "ks_1",
    scope: "agent",
    target_id: "agent-1",
    account_wide: false,
    auto_recovery: false,
    status: "active",
    reason: "runaway",
    activated_by: "on-call",
    trigger_source: "api",
    activated_at: "2026-01-01T00:00:00.000Z",
    expires_at: null,
    ended_at: null,
    ended_by: null,
    end_reason: null,
    propagation_ms: null,
    ...known,
  };
}
