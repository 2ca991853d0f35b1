import type { AuditRow } from "@svc/contract/audit-row";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { PolicyAssignmentRecord } from "@svc/contract/policy-record";
import type { ControlChange, ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import type { Page, PageRequest } from "@svc/store/ports/page";
import type { StoredPolicy } from "@svc/store/ports/policy-store";
import type { LedgerEntry, LedgerOutcome } from "@svc/store/ports/ledger";

interface Owned<Entity> {
  readonly org: string;
  readonly entity: Entity;
}

/** What the stores of a test share. A transaction takes place in one go, between `before` and `after`. */
export class FakeDatabase {
  readonly killSwitches = new Map<string, Owned<KillSwitchRecord>>();
  /** All versions, oldest first. */
  readonly policies: Owned<StoredPolicy>[] = [];
  readonly assignments = new Map<string, Owned<PolicyAssignmentRecord>>();
  readonly events: ControlEvent[] = [];
  readonly auditRows: AuditRow[] = [];
  activeSwitchLimit = Number.POSITIVE_INFINITY;
  policyLimit = Number.POSITIVE_INFINITY;
  /** Runs before a call takes effect: wait to let others pass, throw to fail it with nothing written. */
  before: (call: string) => Promise<void> = async () => {};
  /** Runs when it has taken effect: throw for a write that happened but was not confirmed. */
  after: (call: string) => Promise<void> = async () => {};

  async transact<Result>(call: string, work: () => Result): Promise<Result> {
    await this.before(call);
    const result = work();
    await this.after(call);
    return result;
  }

  /** Events and audit row of a change that takes place. Answers its last revision. */
  write({ org, auditRow }: { org: string; auditRow: string }, changes: readonly ControlChange[]): number {
    for (const change of changes) this.events.push({ revision: this.events.length + 1, org, change });
    this.auditRows.push(JSON.parse(auditRow) as AuditRow);
    return this.events.length;
  }

  commit(entries: readonly LedgerEntry[]): Promise<readonly LedgerOutcome[]> {
    return this.transact("commit", () =>
      entries.map(({ row }): LedgerOutcome => {
        this.auditRows.push(JSON.parse(row) as AuditRow);
        return { kind: "committed", position: { logId: "log", seq: this.auditRows.length - 1 } };
      }),
    );
  }

  snapshot(): Promise<ControlSnapshot> {
    return this.transact("snapshot", () => {
      const active = [...this.killSwitches.values()].filter(({ entity }) => entity.status === "active");
      const changes = active.map(({ org, entity: record }) => ({
        org,
        change: { kind: "kill_switch" as const, record },
      }));
      return { revision: this.events.length, changes };
    });
  }
}

export function ofOrg<Entity>(org: string, owned: Iterable<Owned<Entity>>): Entity[] {
  return [...owned].filter((each) => each.org === org).map(({ entity }) => entity);
}

/** Cursors are positions: enough for a list that does not change while a test pages through it. */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, after }: PageRequest,
): Page<Item> | "bad_cursor" {
  const start = after === null ? 0 : Number(/^at-(\d+)$/.exec(after)?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) return "bad_cursor";
  const end = start + limit;
  return { items: items.slice(start, end), next: end < items.length ? `at-${String(end)}` : null };
}
