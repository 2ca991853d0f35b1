import { setImmediate as nextTurn } from "node:timers/promises";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { Severity } from "@svc/contract/severity";
import type {
  ControlChange,
  ControlEvent,
  ControlSnapshot,
  UnreadableEvent,
} from "@svc/store/ports/control-change";
import type { ControlFeedStore } from "@svc/store/ports/control-feed-store";
import { killSwitch as storedKillSwitch } from "@svc/store/testing/records";

/** In the order in which a snapshot has them: a binding comes after its policy. */
const KINDS = ["policy", "assignment", "kill_switch", "key", "agent", "severity"] as const;

/** A control feed whose events a test writes by hand: it may leave gaps, which no store does. */
export class FakeFeed implements ControlFeedStore {
  readonly events: ControlEvent[] = [];
  #leftOut = 0;
  beforeRead: () => Promise<void> = async () => nextTurn();

  async snapshot(): Promise<ControlSnapshot> {
    await this.beforeRead();
    const latest = new Map<string, ControlSnapshot["changes"][number]>();
    for (const { org, change } of this.events) {
      const entity = JSON.stringify([org, change.kind, idOf(change)]);
      latest.delete(entity);
      if (!isOver(change)) latest.set(entity, { org, change });
    }
    const changes = KINDS.flatMap((kind) =>
      [...latest.values()].filter(({ change }) => change.kind === kind),
    );
    return { revision: this.events.at(-1)?.revision ?? 0, changes };
  }

  async eventsAfter(revision: number, limit: number): Promise<readonly (ControlEvent | UnreadableEvent)[]> {
    await this.beforeRead();
    return this.events.filter((event) => event.revision > revision).slice(0, limit);
  }

  put(change: ControlChange, org = "default"): number {
    const revision = this.events.length + this.#leftOut + 1;
    this.events.push({ revision, org, change });
    return revision;
  }

  /** Leaves out the next revision, as no store does. */
  leaveOut(): void {
    this.#leftOut += 1;
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

  putSeverity(severity: Severity, agentId = "agent-1", sessionId = "s-1"): number {
    const since = "2026-01-01T00:00:00.000Z";
    return this.put({ kind: "severity", record: { agentId, sessionId, severity, since, reason: "silence" } });
  }

  putSwitch(known: Partial<KillSwitchRecord>): KillSwitchRecord {
    const record = killSwitch(known);
    this.put({ kind: "kill_switch", record });
    return record;
  }
}

function idOf(change: ControlChange): string {
  switch (change.kind) {
    case "policy":
      return change.policyId;
    case "assignment":
      return change.record.id;
    case "kill_switch":
      return change.record.kill_switch_id;
    case "key":
      return change.key.id;
    case "agent":
      return change.record.id;
    case "severity":
      return `${change.record.agentId} ${change.record.sessionId}`;
  }
}

function isOver(change: ControlChange): boolean {
  if (change.kind === "kill_switch") return change.record.status === "inactive";
  if (change.kind === "key") return change.key.revoked_at !== null;
  if (change.kind === "severity") return change.record.severity === "INFO";
  return (change.kind === "assignment" || change.kind === "agent") && change.removed;
}

export function killSwitch(known: Partial<KillSwitchRecord>): KillSwitchRecord {
  const activated = { activated_by: "on-call", activated_at: "2026-01-01T00:00:00.000Z" };
  return storedKillSwitch("ks_1", { reason: "runaway", ...activated, ...known });
}
