import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { KillSwitchScope } from "@svc/contract/kill-switch-scope";
import { LookAlikes } from "@svc/engine/look-alikes";

/** The parts of a call that a kill switch can name. */
export interface KillTarget {
  readonly org: string;
  readonly namespace: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly tool: string;
}

type TargetedScope = Exclude<KillSwitchScope, "global">;

/** Broadest first. */
const TARGETED_SCOPES = ["namespace", "agent", "session", "tool"] as const satisfies readonly TargetedScope[];

/** Active switches of one organization, by what they name. One target holds at most one active switch. */
interface OrgSwitches {
  readonly accountWide: Map<string, KillSwitchRecord>;
  readonly targeted: Readonly<Record<TargetedScope, Map<string, KillSwitchRecord>>>;
  /** The targets, by scope. */
  readonly looks: Readonly<Record<TargetedScope, LookAlikes>>;
}

/**
 * The active kill switches of every organization in memory. A lookup costs the same at 10 and at 100,000
 * switches. `apply` is synchronous, so a caller never sees a change half applied.
 */
export class KillSwitchIndex {
  readonly #orgs = new Map<string, OrgSwitches>();

  apply(org: string, record: KillSwitchRecord): void {
    const switches = this.#switchesOf(org);
    const bucket = bucketFor(switches, record);
    const key = record.account_wide ? record.kill_switch_id : requireTarget(record);
    const looks = record.account_wide || record.scope === "global" ? null : switches.looks[record.scope];
    if (record.status === "active") {
      if (!bucket.has(key)) looks?.add(key);
      bucket.set(key, record);
    } else if (bucket.get(key)?.kill_switch_id === record.kill_switch_id) {
      bucket.delete(key);
      looks?.remove(key);
    }
  }

  /** The switch that stops this call, broadest first; null when none does. */
  match(target: KillTarget): KillSwitchRecord | null {
    const switches = this.#orgs.get(target.org);
    if (switches === undefined) return null;
    for (const record of switches.accountWide.values()) return record;
    const { namespace, agent, session, tool } = switches.targeted;
    return (
      namespace.get(target.namespace) ??
      agent.get(target.agentId) ??
      (target.sessionId === null ? undefined : session.get(target.sessionId)) ??
      tool.get(target.tool) ??
      null
    );
  }

  /** The switch on a name that a name of this call looks like without being it; null when there is none. */
  matchLookAlike(target: KillTarget): KillSwitchRecord | null {
    const switches = this.#orgs.get(target.org);
    if (switches === undefined) return null;
    const { namespace, agentId, sessionId, tool } = target;
    const names = { namespace, agent: agentId, session: sessionId, tool } as const;
    for (const scope of TARGETED_SCOPES) {
      const name = names[scope];
      const other = name === null ? null : switches.looks[scope].find(name);
      if (other !== null) return switches.targeted[scope].get(other) ?? null;
    }
    return null;
  }

  /** Whether no switch of the organization has a target that a name in ASCII could look like. */
  isPlain(org: string): boolean {
    const looks = this.#orgs.get(org)?.looks;
    if (looks === undefined) return true;
    return looks.namespace.isPlain && looks.agent.isPlain && looks.session.isPlain && looks.tool.isPlain;
  }

  /** A copy that later changes do not affect. */
  activeOf(org: string): readonly KillSwitchRecord[] {
    const switches = this.#orgs.get(org);
    if (switches === undefined) return [];
    const buckets = [switches.accountWide, ...Object.values(switches.targeted)];
    return buckets.flatMap((bucket) => [...bucket.values()]);
  }

  /** Active switches, all organizations together. */
  get size(): number {
    let size = 0;
    for (const { accountWide, targeted } of this.#orgs.values()) {
      size += accountWide.size;
      for (const bucket of Object.values(targeted)) size += bucket.size;
    }
    return size;
  }

  #switchesOf(org: string): OrgSwitches {
    let switches = this.#orgs.get(org);
    if (switches === undefined) {
      const targeted = { namespace: new Map(), agent: new Map(), session: new Map(), tool: new Map() };
      const looks = {
        namespace: new LookAlikes(),
        agent: new LookAlikes(),
        session: new LookAlikes(),
        tool: new LookAlikes(),
      };
      switches = { accountWide: new Map(), targeted, looks };
      this.#orgs.set(org, switches);
    }
    return switches;
  }
}

function bucketFor(switches: OrgSwitches, record: KillSwitchRecord): Map<string, KillSwitchRecord> {
  if (record.account_wide) return switches.accountWide;
  if (record.scope === "global")
    throw new Error(`kill switch ${record.kill_switch_id}: global yet not account-wide`);
  return switches.targeted[record.scope];
}

function requireTarget(record: KillSwitchRecord): string {
  if (record.target_id === null) throw new Error(`kill switch ${record.kill_switch_id}: no target_id`);
  return record.target_id;
}
