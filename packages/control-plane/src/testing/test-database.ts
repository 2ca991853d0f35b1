import type { AuditRow } from "@svc/contract/audit-row";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { PolicyAssignmentRecord, PolicyMediaType, PolicyRecord } from "@svc/contract/policy";
import type { ControlChange, ControlEvent } from "@svc/store/ports/control-change";
import type { StoredPolicy } from "@svc/store/ports/policy-store";
import { openMemoryStore } from "@svc/store/testing/memory-store";

interface Owned<Entity> {
  readonly org: string;
  readonly entity: Entity;
}

interface AssignmentRow extends PolicyAssignmentRecord {
  readonly org: string;
}

/** The embedded store in memory, with a hook for faults before and after each call. */
export class TestDatabase {
  /** A test may lower them. */
  readonly limits = {
    activeKillSwitches: 1_000,
    killSwitchesWithDetection: 900,
    policies: 1_000,
    agents: 100,
    guardrails: 5,
    policiesOfGuardrail: 3,
    namespaces: 1_000,
    requestKeys: 1_000,
    keys: 1_000,
    keysOfTrustRule: 500,
    exchangedKeys: 800,
    keySecrets: 1_024,
    workflows: 1_000,
    replays: 100,
    activeReplays: 5,
    supervisedSessions: 1_000,
    supervisedSessionsOfAgent: 1_000,
  };
  /** The clock of the store, unix milliseconds. A test may replace it. */
  nowMs: () => number = Date.now;
  readonly #store = openMemoryStore({ limits: this.limits, nowMs: () => this.nowMs() });
  /** Runs before a call takes effect: wait to let others pass, throw to fail it with nothing written. */
  before: (call: string) => Promise<void> = async () => {};
  /** Runs when it has taken effect: throw for a write that happened but was not confirmed. */
  after: (call: string) => Promise<void> = async () => {};

  readonly killSwitchStore = this.#faulty(this.#store.killSwitches);
  readonly policyStore = this.#faulty(this.#store.policies);
  readonly guardrailStore = this.#faulty(this.#store.guardrails);
  readonly assignmentStore = this.#faulty(this.#store.assignments);
  readonly namespaceStore = this.#faulty(this.#store.namespaces);
  readonly agentStore = this.#faulty(this.#store.agents);
  readonly legalHoldStore = this.#faulty(this.#store.legalHolds);
  readonly trustRuleStore = this.#faulty(this.#store.trustRules);
  readonly channelStore = this.#faulty(this.#store.notificationChannels);
  readonly integrationStore = this.#faulty(this.#store.integrations);
  readonly integrationCourses = this.#faulty(this.#store.integrationCourses);
  readonly webhookStore = this.#faulty(this.#store.webhooks);
  readonly deliveryStore = this.#faulty(this.#store.deliveries);
  readonly alertStore = this.#faulty(this.#store.alerts);
  readonly keyStore = this.#faulty(this.#store.keys);
  readonly recordedCalls = this.#faulty(this.#store.recordedCalls);
  readonly approvalStore = this.#faulty(this.#store.approvals);
  readonly heldCallStore = this.#faulty(this.#store.heldCalls);
  readonly workflowStore = this.#faulty(this.#store.approvalWorkflows);
  readonly auditStore = this.#faulty(this.#store.audit);
  readonly ledger = this.#store.ledger;
  readonly replays = this.#faulty(this.#store.replays);
  readonly supervision = this.#faulty(this.#store.supervision);
  readonly anomalies = this.#faulty(this.#store.anomalies);
  readonly controlFeed = this.#faulty(this.#store.controlFeed);

  get auditRows(): readonly AuditRow[] {
    return this.#store.rowTexts().map((text) => JSON.parse(text) as AuditRow);
  }

  get events(): readonly ControlEvent[] {
    const rows = this.#all("SELECT revision, org, change FROM control_events ORDER BY revision");
    return rows.map(({ revision, org, change }) => ({
      revision: Number(revision),
      org: String(org),
      change: JSON.parse(String(change)) as ControlChange,
    }));
  }

  /** By id, in the order of their activation. */
  get killSwitches(): ReadonlyMap<string, Owned<KillSwitchRecord>> {
    const rows = this.#all("SELECT org, id, record FROM kill_switches ORDER BY revision");
    return new Map(
      rows.map(({ org, id, record }) => [
        String(id),
        { org: String(org), entity: JSON.parse(String(record)) as KillSwitchRecord },
      ]),
    );
  }

  /** All versions, in the order in which they were written. */
  get policies(): readonly Owned<StoredPolicy>[] {
    const rows = this.#all("SELECT * FROM policy_versions ORDER BY rowid");
    return rows.map(({ org, record, source, media_type }) => ({
      org: String(org),
      entity: {
        record: JSON.parse(String(record)) as PolicyRecord,
        source: String(source),
        mediaType: media_type as PolicyMediaType,
      },
    }));
  }

  get assignments(): ReadonlyMap<string, Owned<PolicyAssignmentRecord>> {
    const rows = this.#all("SELECT * FROM policy_assignments ORDER BY rowid") as unknown as AssignmentRow[];
    return new Map(
      rows.map(({ org, id, policy_id, agent_id, namespace_id, created_at, created_by }) => [
        id,
        { org, entity: { id, policy_id, agent_id, namespace_id, created_at, created_by } },
      ]),
    );
  }

  /** Changes a stored version behind the stores' back. */
  rewritePolicy(id: string, version: number, changed: Partial<StoredPolicy>): void {
    const found = this.policies.find(
      ({ entity: { record } }) => record.id === id && record.version === version,
    );
    if (found === undefined) throw new Error(`expected version ${String(version)} of ${id}`);
    const { record, source } = { ...found.entity, ...changed };
    this.#store.connection.exec("DROP TRIGGER IF EXISTS policy_versions_refuse_update");
    this.#store.connection
      .prepare("UPDATE policy_versions SET record = ?, source = ? WHERE id = ? AND version = ?")
      .run(JSON.stringify(record), source, id, version);
  }

  #all(query: string) {
    return this.#store.connection.prepare(query).all();
  }

  #faulty<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return (...args: unknown[]) =>
          this.#run(String(name), () => Reflect.apply(method, target, args) as Promise<unknown>);
      },
    });
  }

  async #run(call: string, work: () => Promise<unknown>): Promise<unknown> {
    await this.before(call);
    const result = await work();
    await this.after(call);
    return result;
  }
}
