import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { KillSwitchScope } from "@svc/contract/kill-switch-scope";
import { isName, NAME_EXPECTATION } from "@svc/contract/name";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import { ControlState } from "@svc/gateway/control-state";
import type { ControlChange } from "@svc/store/ports/control-change";
import { KitRefusal } from "./kit-refusal.ts";
import type { ReadPolicy } from "./read-policies.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** The organization of every call of a test. */
export const KIT_ORG = "default";

const WHO = "test";

const SCOPES = [
  "session",
  "agent",
  "tool",
  "namespace",
  "global",
] as const satisfies readonly KillSwitchScope[];

/** What a test stops. */
export interface KillOrder {
  readonly scope: string;
  readonly target: string | null;
  readonly reason: string;
  readonly ttlSeconds: number | null;
}

/** The control state of a test: policies that are bound, and kill switches. A change is in force at once. */
export class KitControl {
  readonly state: ControlState;
  /** There is no feed, so nothing is out of date. */
  readonly follower = { ageMs: 0 };
  readonly #clock: VirtualClock;
  readonly #anyAgent: ReadPolicy | null;
  readonly #bound = new Set<string>();
  readonly #switches = new Map<string, KillSwitchRecord>();

  constructor(policies: readonly ReadPolicy[], clock: VirtualClock) {
    this.#clock = clock;
    this.state = new ControlState(loadsOf(policies.map(({ compiled }) => compiled)));
    this.#anyAgent = policies.find(({ compiled }) => compiled.agentId === null) ?? null;
    for (const { source, compiled } of policies) {
      const { id: policyId, agentId } = compiled;
      this.#apply({ kind: "policy", policyId, version: 1, enabled: true, source });
      if (agentId !== null) this.#bind(policyId, { agent_id: agentId, namespace_id: null });
    }
  }

  /** A document without agent_id governs every namespace that a test calls in. */
  governNamespace(namespace: string): void {
    if (this.#anyAgent === null || this.#bound.has(namespace)) return;
    this.#bound.add(namespace);
    this.#bind(this.#anyAgent.compiled.id, { agent_id: null, namespace_id: namespace });
  }

  /** @returns the id of the switch @throws KitRefusal */
  activate({ scope, target, reason, ttlSeconds }: KillOrder): string {
    const known = SCOPES.find((one) => one === scope);
    if (known === undefined)
      throw new KitRefusal(`scope: expected one of ${SCOPES.join(", ")}, found ${JSON.stringify(scope)}`);
    if ((known === "global") !== (target === null))
      throw new KitRefusal(
        known === "global"
          ? "target: expected none, because global stops every call"
          : `target: expected the ${known} to stop`,
      );
    if (target !== null && !isName(target))
      throw new KitRefusal(`target: expected an exact name: ${NAME_EXPECTATION}`);
    if (ttlSeconds !== null && !(Number.isInteger(ttlSeconds) && ttlSeconds > 0))
      throw new KitRefusal("ttl_seconds: expected whole seconds, at least 1");
    const now = this.#clock.now();
    const record: KillSwitchRecord = {
      kill_switch_id: `ks_test_${String(this.#switches.size + 1)}`,
      scope: known,
      target_id: target,
      account_wide: known === "global",
      auto_recovery: ttlSeconds !== null,
      status: "active",
      reason,
      activated_by: WHO,
      trigger_source: "api",
      activated_at: now.toISOString(),
      expires_at: ttlSeconds === null ? null : new Date(now.getTime() + ttlSeconds * 1_000).toISOString(),
      ended_at: null,
      ended_by: null,
      end_reason: null,
      propagation_ms: null,
    };
    this.#setSwitch(record);
    return record.kill_switch_id;
  }

  /** @throws KitRefusal when no active switch has the id */
  deactivate(id: string): void {
    const record = this.#switches.get(id);
    if (record?.status !== "active")
      throw new KitRefusal(`kill switch: expected the id of an active one, found ${JSON.stringify(id)}`);
    this.#end(record, WHO);
  }

  /** Ends the switches whose time is over. */
  endExpired(): void {
    const now = this.#clock.nowMs();
    for (const record of this.#switches.values()) {
      const isOver = record.expires_at !== null && Date.parse(record.expires_at) <= now;
      if (record.status === "active" && isOver) this.#end(record, "ttl_expiry");
    }
  }

  switchOf(id: string): KillSwitchRecord | null {
    return this.#switches.get(id) ?? null;
  }

  #end(record: KillSwitchRecord, by: string): void {
    this.#setSwitch({
      ...record,
      status: "inactive",
      ended_at: this.#clock.now().toISOString(),
      ended_by: by,
    });
  }

  #setSwitch(record: KillSwitchRecord): void {
    this.#switches.set(record.kill_switch_id, record);
    this.#apply({ kind: "kill_switch", record });
  }

  #bind(
    policyId: string,
    target: { readonly agent_id: string | null; readonly namespace_id: string | null },
  ): void {
    const created = { created_at: this.#clock.now().toISOString(), created_by: WHO };
    const id = `asg_${target.agent_id ?? ""}_${target.namespace_id ?? ""}`;
    this.#apply({
      kind: "assignment",
      record: { id, policy_id: policyId, ...target, ...created },
      removed: false,
    });
  }

  #apply(change: ControlChange): void {
    this.state.apply({ revision: this.state.revision + 1, org: KIT_ORG, change });
  }
}

/** Policies that are compiled already come into force with their change. */
function loadsOf(policies: readonly CompiledPolicy[]): ConstructorParameters<typeof ControlState>[0] {
  return {
    pending: 0,
    begin: (load) => {
      const { id, version, source } = load.policy;
      const policy = policies.find((compiled) => compiled.id === id);
      if (policy === undefined) load.finish({ kind: "unloadable", id, version, detail: "it was not read" });
      else load.finish({ kind: "ready", version, source, policy });
    },
    settled: async () => undefined,
  };
}
