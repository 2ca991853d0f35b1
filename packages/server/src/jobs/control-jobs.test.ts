import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { ControlFollower } from "@svc/control-feed/control-follower";
import { type ComposedControl, type ControlParts, composeControl } from "@svc/http-api/compose-control";
import { startJobs } from "@svc/process/background-job";
import { systemClock } from "@svc/process/clock";
import { Secrets } from "@svc/secrets/secrets";
import { openMemoryStore } from "@svc/store/testing/memory-store";
import { pino } from "pino";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { SupervisionMetrics } from "../metrics/supervision-metrics.ts";
import { readSettings } from "../settings/settings.ts";
import { openOutbound } from "../start/open-outbound.ts";
import { controlJobs } from "./control-jobs.ts";

const CONTROL_PLANE = new URL("../../../control-plane/src/", import.meta.url).pathname;

/** A control role over a store in memory, whose jobs were not started yet. */
function jobsOf(env: Readonly<Record<string, string>> = {}) {
  const log = pino({ level: "silent" });
  const store = openMemoryStore();
  const registry = new Registry();
  const outage = { failed: () => undefined, recovered: () => undefined };
  const follower = new ControlFollower({ feed: store.controlFeed, clock: systemClock, log, outage });
  const auditIndex = new Proxy({} as AuditIndex, { get: () => async () => ({ anomalies: [], parts: [] }) });
  const signer = parseSigner("svc-audit", generateSigningKey());
  const composed: ComposedControl = composeControl({
    ...({} as ControlParts),
    store,
    auditIndex,
    signer,
    registry,
    log,
    digestKey: "5a".repeat(32),
    leads: () => false,
  });
  const settings = readSettings({ SVC_DATA_DIR: "/nowhere", ...env });
  const metrics = new SupervisionMetrics(registry);
  const outbound = openOutbound(settings.outbound, log);
  const secrets = new Secrets({ store: store.secrets, keys: null });
  const shown = { log, metrics, registry };
  const logWriter = { checkpoint: async () => undefined };
  const parts = { store, follower, auditIndex, settings, signer, logWriter, outbound, secrets, ...shown };
  const news = () => null;
  return controlJobs({ ...parts, news, digestKey: "5a".repeat(32) }, composed);
}

it("lists every job of a control process once, in the order in which they start", async () => {
  const names = [
    "replays",
    "supervision",
    "known names",
    "rogue settings",
    "sensitive calls",
    "heartbeats",
    "ttl expiry",
    "held calls",
    "quarantine expiry",
    "expired request keys",
    "approval expiry",
    "supervisor",
    "anomalies",
    "call coverage",
    "outbox",
    "integrations",
    "alerts",
  ];
  expect(jobsOf().jobs.map(({ name }) => name)).toEqual(names);
  const retaining = jobsOf({ SVC_AUDIT_RETENTION_DAYS: "400" });
  expect(retaining.jobs.map(({ name }) => name)).toEqual([...names, "retention"]);
});

it("starts all of them on an empty store, knows control state then, and stops all", async () => {
  const { jobs, followed } = jobsOf();
  expect(followed.appliedRevision).toBeNull();
  const running = await startJobs(jobs);
  expect(followed.appliedRevision).not.toBeNull();
  await running.close();
});

it("wires every part of the control plane that has to be stopped", () => {
  const wiring = [
    "control-jobs.ts",
    "anomaly-jobs.ts",
    "alert-work.ts",
    "retention-work.ts",
    "supervise-sessions.ts",
  ]
    .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))
    .concat(readFileSync(new URL("../../../http-api/src/compose-control.ts", import.meta.url), "utf8"))
    .concat(readFileSync(join(CONTROL_PLANE, "rogue/compose-supervision.ts"), "utf8"))
    .join("\n");
  const stoppable = readdirSync(CONTROL_PLANE, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("testing/"))
    .map((file) => readFileSync(join(CONTROL_PLANE, file), "utf8"))
    .filter((text) => /^ {2}(?:async )?(?:stop|close)\(\)/m.test(text))
    .flatMap((text) => [...text.matchAll(/^export class (\w+)/gm)].flatMap(([, name]) => name ?? []));
  expect(stoppable.length).toBeGreaterThan(10);
  expect(stoppable.filter((name) => !wiring.includes(`new ${name}(`))).toEqual([]);
});
