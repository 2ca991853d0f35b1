import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { activation } from "../testing/activation.ts";
import { TestDatabase } from "../testing/test-database.ts";
import { OPERATOR, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { activateKillSwitch } from "./activate-kill-switch.ts";
import { deactivateKillSwitch } from "./deactivate-kill-switch.ts";
import { expireKillSwitch } from "./expire-kill-switch.ts";

const targets = [
  { scope: "agent", target_id: "a-1" },
  { scope: "session", target_id: "s-1" },
  { scope: "agent", target_id: "a-1", account_wide: true },
  { scope: "global", target_id: null, account_wide: true },
] as const;

const step = fc.oneof(
  fc.record({
    do: fc.constant("activate" as const),
    target: fc.constantFrom(...targets),
    ttl: fc.constantFrom(60, 120, null),
  }),
  fc.record({ do: fc.constantFrom("deactivate" as const, "expire" as const), nth: fc.nat({ max: 3 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

function run(ports: TestPorts, each: Step) {
  if (each.do === "activate") {
    return activateKillSwitch(ports, OPERATOR, activation({ ...each.target, ttl_seconds: each.ttl }));
  }
  const id = `ks_${String(each.nth + 1)}`;
  if (each.do === "expire") return expire(ports, id);
  const reason = { reason: "over", deactivated_by: "bob", trigger_source: "api" } as const;
  return deactivateKillSwitch(ports, OPERATOR, { kill_switch_id: id, ...reason });
}

function expire(ports: TestPorts, id: string) {
  const expiresAt = ports.database.killSwitches.get(id)?.entity.expires_at ?? "";
  return expireKillSwitch(ports, { org: OPERATOR.org, id, expiresAt }).then(() => null);
}

/** Replays the feed as a gateway does: at no revision may two switches be active on one target. */
function expectOnePerTarget({ events }: TestDatabase): void {
  const active = new Map<string, string>();
  const ends = new Map<string, string | null>();
  for (const { change } of events) {
    if (change.kind !== "kill_switch") continue;
    const { record } = change;
    const target = targetOf(record);
    if (record.status === "active") {
      expect([undefined, record.kill_switch_id]).toContain(active.get(target));
      active.set(target, record.kill_switch_id);
      const before = ends.get(record.kill_switch_id);
      if (before !== undefined) expectLater(record.expires_at, before);
      ends.set(record.kill_switch_id, record.expires_at);
    } else {
      expect(active.get(target)).toBe(record.kill_switch_id);
      active.delete(target);
    }
  }
}

/** Nothing shortens a switch, nor writes an end that it has. */
function expectLater(end: string | null, before: string | null): void {
  expect(before).not.toBeNull();
  if (end !== null) expect(end > (before ?? "")).toBe(true);
}

// proves KILL-34
it("in every order: one active switch per target, and one audit row per transition", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(step, { minLength: 2, maxLength: 8 }),
      async (scheduler, steps) => {
        const database = new TestDatabase();
        database.before = (call) => scheduler.schedule(Promise.resolve(), call);
        const ports = testPorts(database);
        const outcomes = Promise.all(steps.map((each) => run(ports, each)));
        await scheduler.waitFor(outcomes);
        expectOnePerTarget(database);
        const told = database.auditRows.map(
          (row) => row.kind === "kill_switch" && [row.kill_switch_id, row.action],
        );
        const known = new Set<string>();
        const happened = database.events.map(({ change }) => {
          if (change.kind !== "kill_switch") return [];
          const { kill_switch_id, status, ended_by } = change.record;
          const isKnown = known.has(kill_switch_id);
          known.add(kill_switch_id);
          if (status === "active") return [kill_switch_id, isKnown ? "extended" : "activated"];
          return [kill_switch_id, ended_by === "ttl_expiry" ? "expired" : "deactivated"];
        });
        expect(told).toEqual(happened);
        const activated = (await outcomes).filter((outcome) => outcome?.kind === "activated");
        expect(activated).toHaveLength(happened.filter(([, action]) => action === "activated").length);
      },
    ),
    { numRuns: runs(300, 3_000) },
  );
});

it("of two activations that race, one answers activated and one existing, with the same switch", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const ports = testPorts();
      ports.database.before = (call) => scheduler.schedule(Promise.resolve(), call);
      const both = Promise.all([1, 2].map(() => activateKillSwitch(ports, OPERATOR, activation())));
      const outcomes = await scheduler.waitFor(both);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["activated", "existing"]);
      const ids = outcomes.map(
        (outcome) =>
          "answer" in outcome && "kill_switch_id" in outcome.answer && outcome.answer.kill_switch_id,
      );
      expect(ids[0]).toBe(ids[1]);
      expect(ports.database.auditRows).toHaveLength(1);
    }),
    { numRuns: runs(50, 500) },
  );
});

/** All account-wide switches of an organization stop the same: everything. */
function targetOf({ account_wide, scope, target_id }: KillSwitchRecord): string {
  return account_wide ? "*" : `${scope}:${target_id ?? ""}`;
}
