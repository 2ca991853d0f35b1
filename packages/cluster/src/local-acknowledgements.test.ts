import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { containmentOf } from "@svc/control-plane/containment";
import { expect, it } from "vitest";
import { localAcknowledgements } from "./local-acknowledgements.ts";

const START = Date.UTC(2026, 10, 22, 3);
const at = (ms: number): string => new Date(START + ms).toISOString();

interface Facts {
  readonly applied: readonly [number, number];
  readonly ageMs: number;
  readonly propagationMs: number | null;
}

/** A process that started when its store was at the first revision, and now has applied the second one. */
async function containment(facts: Partial<Facts> = {}) {
  const { applied, ageMs, propagationMs } = { applied: [3, 7], ageMs: 0, propagationMs: 4, ...facts };
  const [first, now] = applied;
  const followed = { appliedRevision: first ?? null, ageMs };
  const time = { ms: START };
  const reader = localAcknowledgements({ id: "gw-1", followed, clock: { now: () => new Date(time.ms) } });
  followed.appliedRevision = now ?? null;
  time.ms = START + 1_000;
  const record = {
    status: "active",
    activated_at: at(100),
    propagation_ms: propagationMs,
  } as KillSwitchRecord;
  const activation = { record, revision: 7, auditRow: null };
  return containmentOf(await reader.reach("org", activation), activation);
}

// proves KILL-40
it("a single process enforces a switch from when it was measured, or from the issue", async () => {
  expect(await containment()).toMatchObject({
    containment: "contained",
    contained_since: at(104),
    gateways: [{ id: "gw-1", state: "enforcing", acknowledged_at: at(104) }],
  });
  expect(await containment({ propagationMs: null })).toMatchObject({
    contained_since: at(1_000),
    gateways: [{ state: "enforcing", acknowledged_at: null }],
  });
});

it("a single process that was started later has loaded the switch", async () => {
  expect((await containment({ applied: [7, 9] })).gateways).toMatchObject([
    { state: "enforcing", last_seen_at: null },
    { state: "joined_later", contained_since: at(0) },
  ]);
});

it("a single process that has not applied the switch is contained when its lease has ended", async () => {
  const open = { applied: [3, 6], propagationMs: null } as const;
  expect(await containment({ ...open, ageMs: 500 })).toMatchObject({
    containment: "not_yet_contained",
    contained_at_latest: at(2_000),
  });
  expect(await containment({ ...open, ageMs: 1_600 })).toMatchObject({
    containment: "contained",
    gateways: [{ state: "denying" }],
  });
});
