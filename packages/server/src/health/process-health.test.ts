import { tmpdir } from "node:os";
import { nodeTimers } from "@svc/process/timers";
import { Counter, Registry } from "prom-client";
import { expect, it } from "vitest";
import { ProcessHealth, type ProcessHealthParts } from "./process-health.ts";

const POLICY = { org: "acme", policy_id: "refunds", detail: "no" };

function world(changes: Partial<ProcessHealthParts> = {}) {
  const registry = new Registry();
  const name = "svc_decisions_total";
  const decisions = new Counter({
    name,
    help: "h",
    labelNames: ["decision", "reason_code"],
    registers: [registry],
  });
  const checkpoints = new Counter({
    name: "svc_checkpoint_failures_total",
    help: "h",
    registers: [registry],
  });
  let nowMs = 0;
  const said: string[] = [];
  const health = new ProcessHealth({
    registry,
    dataDir: tmpdir(),
    index: { lagMs: async () => 7 },
    gateway: { unloadablePolicies: () => [POLICY] },
    say: async (text) => void said.push(text),
    clock: { nowMs: () => nowMs },
    timers: nodeTimers,
    log: { warn: () => undefined },
    ...changes,
  });
  return { health, decisions, checkpoints, said, pass: (ms: number) => void (nowMs += ms) };
}

// proves ALERT-02
it("reads the metrics of its process, and tells the one that leads", async () => {
  const { health, decisions, checkpoints, said, pass } = world();
  decisions.inc({ decision: "deny", reason_code: "rule" });
  await health.look();
  expect(health.signs).toMatchObject({
    fail_closed: {},
    checkpoints: null,
    index_lag_ms: 7,
    unloadable: [POLICY],
  });
  expect(health.signs.disk_free).toBeGreaterThan(0);
  expect(health.signs.disk_free).toBeLessThanOrEqual(1);
  decisions.inc({ decision: "deny", reason_code: "audit_unavailable" });
  checkpoints.inc();
  await health.look();
  pass(5_000);
  decisions.inc({ decision: "deny", reason_code: "audit_unavailable" });
  await health.look();
  expect(health.signs).toMatchObject({
    fail_closed: { audit_unavailable: { lasted_ms: 5_000, idle_ms: 0 } },
    checkpoints: { lasted_ms: 0, idle_ms: 5_000 },
  });
  expect(JSON.parse(said.at(-1) ?? "")).toEqual(health.signs);
});

it("goes on when a part does not answer: the lag grows, and the disk is not known", async () => {
  let isHung = false;
  const hung = Promise.withResolvers<number>().promise;
  const { health, pass } = world({
    dataDir: "/nowhere/at/all",
    gateway: null,
    index: { lagMs: () => (isHung ? hung : Promise.resolve(10)) },
    say: () => Promise.reject(new Error("no database")),
    indexAnswerMs: 1,
  });
  await health.look();
  isHung = true;
  pass(90_000);
  await health.look();
  expect(health.signs).toMatchObject({ index_lag_ms: 90_010, disk_free: null, unloadable: [] });
});
