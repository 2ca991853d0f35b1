import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import { killSwitch } from "@svc/control-feed/testing/fake-feed";
import { loadAtOnce } from "@svc/control-feed/testing/load-at-once";
import { type EvaluatorFactory, evaluatorFactory } from "@svc/engine/evaluator-factory";
import { fakeModules } from "@svc/engine/testing/fake-modules";
import type { ControlChange } from "@svc/store/ports/control-change";
import { describe, expect, it } from "vitest";
import { ControlState } from "../check/control-state.ts";
import { manualLoader } from "../testing/manual-reader.ts";

const ORG = "default";

const assignment = (policy_id: string, agent_id: string): PolicyAssignmentRecord => ({
  id: `asg_${policy_id}_${agent_id}`,
  policy_id,
  agent_id,
  namespace_id: null,
  created_at: "2026-01-01T00:00:00.000Z",
  created_by: "test",
});

const document = (id: string, tool = "a.read"): string => `id: ${id}\ntools: { allowed: [${tool}] }\n`;

interface VersionFacts {
  readonly enabled?: boolean;
  readonly source?: string;
}

/** A gateway's control state, fed event by event. */
function setUp(evaluators?: EvaluatorFactory) {
  const reader = manualLoader(evaluators);
  const state = new ControlState(reader.loader);
  loadAtOnce(state, { revision: 0, changes: [] });
  const put = (change: ControlChange): number => {
    const revision = state.revision + 1;
    state.apply({ revision, org: ORG, change });
    return revision;
  };
  const version = (policyId: string, number: number, { enabled = true, source }: VersionFacts = {}): number =>
    put({ kind: "policy", policyId, version: number, enabled, source: source ?? document(policyId) });
  const bind = (policyId: string, agentId: string, removed = false): number =>
    put({ kind: "assignment", record: assignment(policyId, agentId), removed });
  const found = (agentId: string) => state.policyFor(ORG, agentId, "ns");
  /** Whether changes of this revision count as in force. */
  const isSettled = async (revision: number): Promise<boolean> => {
    let settled = false;
    void state.policiesSettled(revision).then(() => {
      settled = true;
    });
    await reader.settle();
    return settled;
  };
  return { ...reader, state, put, version, bind, found, isSettled };
}

it("answers about one policy when its latest version is in force, whatever changed since", async () => {
  const { version, loader, settle, compile, state } = setUp();
  version("p", 1);
  version("other", 1);
  state.apply({
    revision: 3,
    org: "acme",
    change: { kind: "policy", policyId: "p", version: 1, enabled: true, source: document("p") },
  });
  const settled: string[] = [];
  for (const [org, id] of [
    [ORG, "p"],
    ["acme", "p"],
    [ORG, "absent"],
  ] as const)
    void loader.policySettled(org, id).then(() => settled.push(`${org} ${id}`));
  await settle();
  expect(settled).toEqual(["default absent"]);
  await compile();
  expect(settled).toContain("default p");
});

it("counts a later change of something else as in force while a version before it is compiled", async () => {
  const { version, bind, isSettled, loader, compile, settle } = await withPolicy();
  version("p", 2);
  const later = bind("other", "b");
  expect(await isSettled(later)).toBe(true);
  let isLatest = false;
  void loader.policySettled(ORG, "p").then(() => {
    isLatest = true;
  });
  await settle();
  expect(isLatest).toBe(false);
  await compile();
  expect(isLatest).toBe(true);
});

/** Policy p in version 1, compiled, bound to agent a. */
async function withPolicy() {
  const gateway = setUp();
  gateway.version("p", 1);
  gateway.bind("p", "a");
  await gateway.settle();
  await gateway.compile();
  expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 1 });
  return gateway;
}

// proves POL-57, POL-58
describe("a new version of a policy", () => {
  it("comes into force when it is compiled, and the one before governs calls until then", async () => {
    const gateway = await withPolicy();
    const revision = gateway.version("p", 2);
    await gateway.settle();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 1 });
    expect(await gateway.isSettled(revision)).toBe(false);
    await gateway.compile();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 2 });
    expect(await gateway.isSettled(revision)).toBe(true);
  });

  it("keeps no kill switch waiting", async () => {
    const gateway = await withPolicy();
    gateway.version("p", 2);
    const revision = gateway.put({ kind: "kill_switch", record: killSwitch({ target_id: "a" }) });
    const target = { org: ORG, namespace: "ns", agentId: "a", sessionId: null, tool: "t" };
    expect(gateway.state.killSwitchFor(target)).not.toBeNull();
    expect(gateway.state.revision).toBe(revision);
  });

  it("denies where none was compiled before, and says so", async () => {
    const gateway = setUp();
    gateway.version("p", 1);
    const revision = gateway.bind("p", "a");
    expect(gateway.found("a")).toEqual({ kind: "loading", id: "p", version: 1 });
    expect(await gateway.isSettled(revision)).toBe(false);
    await gateway.compile();
    expect(gateway.found("a")).toMatchObject({ kind: "ready" });
    expect(await gateway.isSettled(revision)).toBe(true);
  });

  it("is dropped when a later one arrives, whose coming into force both wait for", async () => {
    const gateway = await withPolicy();
    const second = gateway.version("p", 2);
    await gateway.settle();
    const third = gateway.version("p", 3);
    await gateway.compile();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 1 });
    expect([await gateway.isSettled(second), await gateway.isSettled(third)]).toEqual([false, false]);
    await gateway.compile();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 3 });
    expect([await gateway.isSettled(second), await gateway.isSettled(third)]).toEqual([true, true]);
  });

  it("that cannot be compiled denies from when that is known", async () => {
    const gateway = await withPolicy();
    const revision = gateway.version("p", 2, { source: "id: p\ncolour: red\n" });
    await gateway.settle();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 1 });
    await gateway.compile();
    expect(gateway.found("a")).toMatchObject({ kind: "unloadable", version: 2 });
    expect(await gateway.isSettled(revision)).toBe(true);
  });

  it("that is disabled is so at once, and what is being compiled does not undo it", async () => {
    const gateway = await withPolicy();
    const second = gateway.version("p", 2);
    await gateway.settle();
    const third = gateway.version("p", 3, { enabled: false });
    expect(gateway.found("a")).toEqual({ kind: "disabled", id: "p", version: 3 });
    expect([await gateway.isSettled(second), await gateway.isSettled(third)]).toEqual([true, true]);
    await gateway.compile();
    expect(gateway.found("a")).toMatchObject({ kind: "disabled" });
  });
});

// proves POL-59
describe("a binding that changes while its policy is compiled", () => {
  it("gets no version that it never had: it denies until the new one is in force", async () => {
    const gateway = await withPolicy();
    gateway.version("p", 2);
    const revision = gateway.bind("p", "b");
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 1 });
    expect(gateway.found("b")).toEqual({ kind: "loading", id: "p", version: 2 });
    expect(await gateway.isSettled(revision)).toBe(false);
    await gateway.compile();
    expect(gateway.found("b")).toMatchObject({ kind: "ready", version: 2 });
    expect(await gateway.isSettled(revision)).toBe(true);
  });

  it("does not fall back to an old version of its namespace's policy", async () => {
    const gateway = await withPolicy();
    gateway.version("n", 1);
    const record = { ...assignment("n", "x"), agent_id: null, namespace_id: "ns" };
    gateway.put({ kind: "assignment", record, removed: false });
    await gateway.settle();
    await gateway.compile();
    gateway.version("n", 2);
    gateway.bind("p", "a", true);
    expect(gateway.found("a")).toEqual({ kind: "loading", id: "n", version: 2 });
    expect(gateway.found("other")).toMatchObject({ kind: "ready", version: 1 });
  });

  it("that names another compiled policy is in force at once", async () => {
    const gateway = await withPolicy();
    gateway.version("q", 1);
    await gateway.settle();
    await gateway.compile();
    gateway.version("p", 2);
    gateway.bind("p", "a", true);
    const revision = gateway.bind("q", "a");
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 1, policy: { id: "q" } });
    expect(await gateway.isSettled(revision)).toBe(true);
  });

  it("is known from a snapshot as well", async () => {
    const gateway = await withPolicy();
    const policy = {
      kind: "policy",
      policyId: "p",
      version: 2,
      enabled: true,
      source: document("p"),
    } as const;
    const changes = [
      policy,
      { kind: "assignment", record: assignment("p", "a"), removed: false } as const,
      { kind: "assignment", record: assignment("p", "b"), removed: false } as const,
    ].map((change) => ({ org: ORG, change }));
    loadAtOnce(gateway.state, { revision: 9, changes });
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 1 });
    expect(gateway.found("b")).toMatchObject({ kind: "loading", version: 2 });
    expect(await gateway.isSettled(7)).toBe(false);
    await gateway.compile();
    expect(await gateway.isSettled(7)).toBe(true);
  });
});

describe("a snapshot that is loaded in steps", () => {
  it("takes nothing back that comes into force between two steps", async () => {
    const gateway = await withPolicy();
    gateway.version("p", 2);
    await gateway.settle();
    const policy = {
      kind: "policy",
      policyId: "p",
      version: 3,
      enabled: true,
      source: document("p"),
    } as const;
    const binding = { kind: "assignment", record: assignment("p", "a"), removed: false } as const;
    const changes = [policy, binding].map((change) => ({ org: ORG, change }));
    const steps = gateway.state.load({ revision: 9, changes });
    steps.next();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 1 });
    await gateway.compile();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 2 });
    while (steps.next().done !== true) expect(gateway.state.revision).toBe(3);
    expect(gateway.state.revision).toBe(9);
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 2 });
    await gateway.settle();
    await gateway.compile();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 3 });
  });
});

// proves POL-60
describe("a reader that fails", () => {
  it("leaves in force what is, does not call the change in force, and is asked again", async () => {
    const gateway = await withPolicy();
    const revision = gateway.version("p", 2);
    await gateway.settle();
    await gateway.fail();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 1 });
    expect([await gateway.isSettled(revision), gateway.faults.count]).toEqual([false, 1]);
    expect(gateway.log.messages).toEqual([expect.stringContaining("could not be compiled")]);
    await gateway.retry();
    await gateway.compile();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 2 });
    expect(await gateway.isSettled(revision)).toBe(true);
  });

  it("keeps the policies of a start from counting as in force, though each was tried", async () => {
    const gateway = setUp();
    gateway.version("p", 1);
    const reached: string[] = [];
    void gateway.loader.idle().then(() => reached.push("tried"));
    void gateway.loader.awaitedByStart().then(() => reached.push("in force"));
    await gateway.settle();
    await gateway.fail();
    expect(reached).toEqual(["tried"]);
    await gateway.retry();
    await gateway.compile();
    expect(reached).toEqual(["tried", "in force"]);
  });

  it("does not keep a start waiting for a policy that fails again and again", async () => {
    const gateway = setUp();
    gateway.version("p", 1);
    let isAwaited = true;
    void gateway.loader.awaitedByStart().then(() => (isAwaited = false));
    await gateway.settle();
    for (const awaited of [true, true, false]) {
      await gateway.fail();
      expect(isAwaited).toBe(awaited);
      await gateway.retry();
    }
    expect(gateway.loader.pending).toBe(1);
  });

  it("is asked again for one version at a time: the others came to grief by its side", async () => {
    const gateway = setUp();
    for (const id of ["p", "q", "r"]) gateway.version(id, 1);
    await gateway.settle();
    expect(gateway.onThread()).toHaveLength(3);
    await gateway.fail();
    await gateway.retry();
    expect(gateway.onThread()).toHaveLength(1);
    await gateway.fail();
    await gateway.compile();
    await gateway.compile();
    expect(gateway.loader.pending).toBe(1);
  });

  it("keeps no change of another policy from being called in force", async () => {
    const gateway = await withPolicy();
    const poisoned = gateway.version("p", 2);
    await gateway.settle();
    await gateway.fail();
    const other = gateway.version("q", 1);
    await gateway.settle();
    await gateway.compile();
    expect([await gateway.isSettled(poisoned), await gateway.isSettled(other)]).toEqual([false, true]);
  });
});

describe("a loader that is closed", () => {
  it("puts nothing in force any more", async () => {
    const gateway = await withPolicy();
    gateway.version("p", 2);
    await gateway.settle();
    gateway.loader.close();
    await gateway.compile();
    expect(gateway.found("a")).toMatchObject({ kind: "ready", version: 1 });
  });
});

describe("a version with a module", () => {
  const withModule = (text: string) => JSON.stringify({ id: "p", rego: text });

  it("waits while its module cannot be prepared, beside the version in force", async () => {
    const make = evaluatorFactory(fakeModules().runtime);
    let isLost = true;
    const { version, bind, found, compile, retry, faults, settle } = setUp((module, owner) =>
      make({ ...module, text: isLost ? "lost" : module.text }, owner),
    );
    version("p", 1);
    bind("p", "a");
    await settle();
    await compile();
    version("p", 2, { source: withModule("deny x no") });
    await settle();
    await compile();
    expect([found("a"), faults.count]).toMatchObject([{ kind: "ready", version: 1 }, 1]);
    isLost = false;
    await retry();
    await settle();
    await compile();
    expect(found("a")).toMatchObject({ kind: "ready", version: 2, policy: { evaluators: [{}] } });
  });

  it("delays no policy of others, and none without one, while it is prepared", async () => {
    const make = evaluatorFactory(fakeModules().runtime);
    const slow = Promise.withResolvers<undefined>();
    const { version, bind, found, compile, settle, state, loader } = setUp(async (module, owner) => {
      if (owner.organization === ORG) await slow.promise;
      return make(module, owner);
    });
    version("p", 1);
    bind("p", "a");
    bind("slow", "s");
    const source = withModule("deny x no");
    const change = { kind: "policy", policyId: "q", version: 1, enabled: true, source } as const;
    state.apply({ revision: state.revision + 1, org: "acme", change });
    state.apply({
      revision: state.revision + 1,
      org: "acme",
      change: { kind: "assignment", record: assignment("q", "b"), removed: false },
    });
    // The newest is loaded first.
    version("slow", 1, { source });
    await settle();
    await compile();
    expect(found("a")).toMatchObject({ kind: "ready" });
    expect(state.policyFor("acme", "b", "ns")).toMatchObject({ kind: "ready" });
    expect(found("s")).not.toMatchObject({ kind: "ready" });
    slow.resolve(undefined);
    await loader.idle();
    expect(found("s")).toMatchObject({ kind: "ready" });
  });

  it("is unloadable when its module never runs", async () => {
    const { version, bind, found, compile, settle } = setUp(evaluatorFactory(fakeModules().runtime));
    version("p", 1, { source: withModule("broken") });
    bind("p", "a");
    await settle();
    await compile();
    expect(found("a")).toMatchObject({ kind: "unloadable", detail: "the module is not Rego" });
  });
});
