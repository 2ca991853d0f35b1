import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import { killSwitch } from "@svc/control-feed/testing/fake-feed";
import { loadAtOnce } from "@svc/control-feed/testing/load-at-once";
import type { ControlChange, ControlSnapshot } from "@svc/store/ports/control-change";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ControlState } from "../check/control-state.ts";
import { manualLoader } from "../testing/manual-reader.ts";

const ORG = "default";
const NAMESPACE = "ns";
const POLICIES = ["p", "q"] as const;
const AGENTS = ["a", "b"] as const;

type Policy = (typeof POLICIES)[number];
type Target = (typeof AGENTS)[number] | typeof NAMESPACE;

/** The truth as of one revision. */
interface Truth {
  readonly versions: Readonly<
    Partial<Record<Policy, { readonly version: number; readonly enabled: boolean }>>
  >;
  readonly bindings: Readonly<Partial<Record<Target, PolicyAssignmentRecord>>>;
  readonly killed: readonly string[];
}

const policyStep = fc.record({
  kind: fc.constantFrom("update", "update", "disable"),
  policy: fc.constantFrom(...POLICIES),
});
const bindingStep = fc.record({
  kind: fc.constantFrom("bind", "unbind"),
  policy: fc.constantFrom(...POLICIES),
  target: fc.constantFrom<Target>(...AGENTS, NAMESPACE),
});
const switchStep = fc.record({ kind: fc.constantFrom("kill", "revive"), agent: fc.constantFrom(...AGENTS) });
const otherStep = fc.record({
  kind: fc.constantFrom("compile", "compile", "fail", "retry", "behind", "turn", "turn"),
});
type Step =
  | { readonly kind: "update" | "disable"; readonly policy: Policy }
  | { readonly kind: "bind" | "unbind"; readonly policy: Policy; readonly target: Target }
  | { readonly kind: "kill" | "revive"; readonly agent: string }
  | { readonly kind: "compile" | "fail" | "retry" | "behind" | "turn" };
const steps = fc.array(fc.oneof(policyStep, bindingStep, switchStep, otherStep) as fc.Arbitrary<Step>, {
  minLength: 5,
  maxLength: 30,
});

/** A database, the gateway that follows it, and what has been acknowledged of each policy. */
class Run {
  readonly #reader = manualLoader();
  readonly #state = new ControlState(this.#reader.loader);
  /** By revision. */
  readonly #history: Truth[] = [{ versions: {}, bindings: {}, killed: [] }];
  /** Revisions that the gateway has been at. */
  readonly #seen = new Set<number>();
  readonly #acknowledged = new Map<Policy, number>();
  #ids = 0;
  /** Whether the gateway misses events, so that its next read is a snapshot. */
  #isBehind = false;
  /** What is left of a load that has begun. */
  #load: Generator<undefined, void> | null = null;
  /** By revision, from 1. */
  readonly #changes: ControlChange[] = [];

  constructor() {
    loadAtOnce(this.#state, { revision: 0, changes: [] });
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case "update":
      case "disable":
        return this.#putVersion(step.policy, step.kind === "update");
      case "bind":
      case "unbind":
        return this.#putBinding(step.target, step.kind === "bind" ? step.policy : null);
      case "kill":
      case "revive":
        return this.#putSwitch(step.agent, step.kind === "kill");
      case "behind":
        this.#isBehind = true;
        return undefined;
      case "compile":
        return this.#reader.compile();
      case "fail":
        return this.#reader.fail();
      case "retry":
        return this.#reader.retry();
      case "turn":
        this.#readOn();
        return this.#reader.settle();
    }
  }

  /** Everything is compiled in the end, and the latest versions govern. */
  async finish(): Promise<void> {
    while (this.#isBehind) this.#readOn();
    for (let round = 0; this.#reader.loader.pending > 0; round += 1) {
      if (round > 50) expect.unreachable("a load never ends");
      await this.#reader.retry();
      await this.#reader.compile();
    }
    for (const agent of AGENTS) {
      const wanted = governing(this.#now, agent);
      const kind = this.#state.policyFor(ORG, agent, NAMESPACE)?.kind ?? null;
      if (wanted === null) expect(kind === null || kind === "unloadable").toBe(true);
      else expect(kind).toBe(wanted.enabled ? "ready" : "disabled");
    }
  }

  async check(): Promise<void> {
    // An acknowledgement that waits for nothing is given now.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    if (this.#isBehind) return;
    for (const agent of AGENTS) {
      const target = { org: ORG, namespace: NAMESPACE, agentId: agent, sessionId: null, tool: "t" };
      expect(this.#state.killSwitchFor(target) !== null).toBe(this.#now.killed.includes(agent));
      const found = this.#state.policyFor(ORG, agent, NAMESPACE);
      if (found?.kind !== "ready") continue;
      const { id } = found.policy;
      const { version } = found;
      expect(version).toBeGreaterThanOrEqual(this.#acknowledged.get(id as Policy) ?? 0);
      // It governed this agent at some revision, and since then nothing but its version has changed.
      expect(this.#governedSinceThen(agent, id, version)).toBe(true);
    }
  }

  #governedSinceThen(agent: Target, id: string, version: number): boolean {
    for (let revision = this.#history.length - 1; revision >= 0; revision -= 1) {
      const then = governing(this.#history[revision] ?? this.#now, agent);
      if (then?.id === id && then.enabled && then.version === version) return true;
      // What came and went in a gap, the gateway never saw.
      if (this.#seen.has(revision) && (then?.id !== id || !then.enabled)) return false;
    }
    return false;
  }

  get #now(): Truth {
    return this.#history.at(-1) ?? expect.unreachable();
  }

  #putVersion(policy: Policy, enabled: boolean): void {
    const version = (this.#now.versions[policy]?.version ?? 0) + 1;
    this.#put(versionChange(policy, version, enabled), {
      ...this.#now,
      versions: { ...this.#now.versions, [policy]: { version, enabled } },
    });
  }

  #putBinding(target: Target, policy: Policy | null): void {
    const { [target]: bound, ...others } = this.#now.bindings;
    // As the control plane has it: a target has one binding, and a policy that is bound exists.
    if (policy === null ? bound === undefined : bound !== undefined || !this.#now.versions[policy]) return;
    const isAgent = target !== NAMESPACE;
    const record = bound ?? {
      id: `asg_${String(++this.#ids)}`,
      policy_id: policy ?? "",
      agent_id: isAgent ? target : null,
      namespace_id: isAgent ? null : target,
      created_at: "2026-01-01T00:00:00.000Z",
      created_by: "test",
    };
    const removed = bound !== undefined;
    const bindings = removed ? others : { ...others, [target]: record };
    this.#put({ kind: "assignment", record, removed }, { ...this.#now, bindings });
  }

  #putSwitch(agent: string, active: boolean): void {
    const killed = this.#now.killed.filter((other) => other !== agent);
    this.#put(switchChange(agent, active), { ...this.#now, killed: active ? [...killed, agent] : killed });
  }

  #put(change: ControlChange, after: Truth): void {
    this.#history.push(after);
    this.#changes.push(change);
    if (!this.#isBehind) this.#apply(this.#history.length - 1);
  }

  #apply(revision: number): void {
    const change = this.#changes[revision - 1] ?? expect.unreachable();
    this.#state.apply({ revision, org: ORG, change });
    this.#awaitAcknowledgement(revision);
  }

  /** Takes the next step of a snapshot. Behind the last one, the gateway applies what came meanwhile. */
  #readOn(): void {
    if (!this.#isBehind) return;
    this.#load ??= this.#state.load(this.#snapshot());
    if (this.#load.next().done !== true) return;
    this.#load = null;
    this.#isBehind = false;
    this.#awaitAcknowledgement(this.#state.revision);
    while (this.#state.revision < this.#history.length - 1) this.#apply(this.#state.revision + 1);
  }

  #snapshot(): ControlSnapshot {
    const { versions, bindings, killed } = this.#now;
    const changes: ControlChange[] = [
      ...POLICIES.flatMap((policy) => {
        const known = versions[policy];
        return known === undefined ? [] : [versionChange(policy, known.version, known.enabled)];
      }),
      ...Object.values(bindings).map((record) => ({ kind: "assignment", record, removed: false }) as const),
      ...killed.map((agent) => switchChange(agent, true)),
    ];
    const revision = this.#history.length - 1;
    return { revision, changes: changes.map((change) => ({ org: ORG, change })) };
  }

  /** Every change is announced: once it settles, no older version of what it touches may be met. */
  #awaitAcknowledgement(revision: number): void {
    const { versions } = this.#history[revision] ?? expect.unreachable();
    this.#seen.add(revision);
    const before = this.#history[revision - 1]?.versions ?? {};
    void this.#state.policiesSettled(revision).then(() => {
      for (const policy of POLICIES) {
        const known = versions[policy];
        if (known === undefined || known.version === before[policy]?.version) continue;
        this.#acknowledged.set(policy, Math.max(known.version, this.#acknowledged.get(policy) ?? 0));
      }
    });
  }
}

function governing(truth: Truth, agent: Target) {
  const id = (truth.bindings[agent] ?? truth.bindings[NAMESPACE])?.policy_id as Policy | undefined;
  const known = id === undefined ? undefined : truth.versions[id];
  return id === undefined || known === undefined ? null : { id, ...known };
}

function versionChange(policyId: Policy, version: number, enabled: boolean): ControlChange {
  const source = `id: ${policyId}\nname: version ${String(version)}\n`;
  return { kind: "policy", policyId, version, enabled, source };
}

function switchChange(agent: string, active: boolean): ControlChange {
  const status = active ? "active" : "inactive";
  return {
    kind: "kill_switch",
    record: killSwitch({ kill_switch_id: `ks_${agent}`, target_id: agent, status }),
  };
}

// proves POL-58, POL-59, POL-60
it("no call is governed by a version older than an acknowledged one, or that never governed it", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const run = new Run();
      for (const step of taken) {
        await run.take(step);
        await run.check();
      }
      await run.finish();
      await run.check();
    }),
    { numRuns: runs(1_000, 10_000) },
  );
});
