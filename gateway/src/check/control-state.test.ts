import { loadAtOnce } from "@svc/control-feed/testing/load-at-once";
import type { ControlChange, ControlSnapshot } from "@svc/store/ports/control-change";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LoadedPolicy } from "../policies/loaded-policy.ts";
import { directLoader } from "../testing/direct-reader.ts";
import { ControlState } from "./control-state.ts";

const ORGS = ["default", "other"] as const;
const IDS = ["p1", "p2"] as const;

/** One policy of one organization. The agent of the same name is bound to it. */
interface Held {
  readonly org: string;
  readonly id: string;
  readonly version: number;
  readonly enabled: boolean;
  readonly tool: string;
}

const sourceOf = ({ id, tool }: Held): string => `id: ${id}\ntools: { allowed: [${tool}] }\n`;

const policyChange = (held: Held): ControlChange => ({
  kind: "policy",
  policyId: held.id,
  version: held.version,
  enabled: held.enabled,
  source: sourceOf(held),
});

function snapshotOf(revision: number, policies: readonly Held[]): ControlSnapshot {
  const changes = policies.flatMap((held) => [
    { org: held.org, change: policyChange(held) },
    { org: held.org, change: bindingOf(held) },
  ]);
  return { revision, changes };
}

const bindingOf = ({ id }: Held): ControlChange => ({
  kind: "assignment",
  removed: false,
  record: {
    id: `asg_${id}`,
    policy_id: id,
    agent_id: id,
    namespace_id: null,
    created_at: "2026-01-01T00:00:00.000Z",
    created_by: "test",
  },
});

const found = (state: ControlState, { org, id }: Pick<Held, "org" | "id">): LoadedPolicy | null =>
  state.policyFor(org, id, "none");

/** Compiled policies are compared by identity: a policy that was compiled again is another object. */
function compiledOf(state: ControlState, held: Held): object | null {
  const loaded = found(state, held);
  return loaded?.kind === "ready" ? loaded.policy : null;
}

const held = fc.record<Held>({
  org: fc.constantFrom(...ORGS),
  id: fc.constantFrom(...IDS),
  version: fc.integer({ min: 1, max: 2 }),
  enabled: fc.boolean(),
  tool: fc.constantFrom("a.read", "b.read"),
});
const snapshots = fc.array(
  fc.uniqueArray(held, { selector: ({ org, id }) => `${org}/${id}`, maxLength: ORGS.length * IDS.length }),
  { minLength: 2, maxLength: 6 },
);

// proves POL-55
describe("ControlState", () => {
  it("holds what a snapshot says, and compiles no version again that is in force already", async () => {
    const run = async (loads: readonly (readonly Held[])[]): Promise<void> => {
      const loader = directLoader();
      const state = new ControlState(loader);
      let before: readonly Held[] = [];
      for (const [revision, policies] of loads.entries()) {
        const compiled = new Map(before.map((one) => [one, compiledOf(state, one)]));
        loadAtOnce(state, snapshotOf(revision, policies));
        await loader.idle();
        for (const one of policies) {
          const [same] = before.filter((other) => JSON.stringify(other) === JSON.stringify(one));
          const kept = same === undefined ? null : compiled.get(same);
          expect(kept === null || kept === compiledOf(state, one)).toBe(true);
          if (!one.enabled) expect(found(state, one)).toMatchObject({ kind: "disabled" });
          else expect(found(state, one)).toMatchObject({ kind: "ready", source: sourceOf(one) });
        }
        before = policies;
      }
    };
    await fc.assert(fc.asyncProperty(snapshots, run));
  });

  it("compiles nothing when an event names the version in force again", async () => {
    const loader = directLoader();
    const state = new ControlState(loader);
    const one: Held = { org: "default", id: "p1", version: 1, enabled: true, tool: "a.read" };
    loadAtOnce(state, snapshotOf(1, [one]));
    await loader.idle();
    const compiled = compiledOf(state, one);
    state.apply({ revision: 2, org: one.org, change: policyChange(one) });
    await loader.idle();
    expect([compiled !== null, compiledOf(state, one) === compiled]).toEqual([true, true]);
    state.apply({ revision: 3, org: one.org, change: policyChange({ ...one, version: 2 }) });
    await loader.idle();
    expect(found(state, one)).toMatchObject({ kind: "ready", version: 2 });
    expect(compiledOf(state, one)).not.toBe(compiled);
  });

  it("takes what a document says now, when a restored store says something else of a version", async () => {
    const loader = directLoader();
    const state = new ControlState(loader);
    const one: Held = { org: "default", id: "p1", version: 1, enabled: true, tool: "a.read" };
    loadAtOnce(state, snapshotOf(1, [one, { ...one, org: "other", tool: "b.read" }]));
    await loader.idle();
    const compiled = compiledOf(state, one);
    loadAtOnce(state, snapshotOf(1, [{ ...one, tool: "b.read" }]));
    await loader.idle();
    expect(compiledOf(state, one)).not.toBe(compiled);
    expect(found(state, one)).toMatchObject({ source: sourceOf({ ...one, tool: "b.read" }) });
  });
});
