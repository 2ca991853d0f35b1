import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { startPostgresServer } from "@svc/store/testing/postgres-server";
import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import type { RunningChild } from "../child-process.ts";
import { atMost, type Figure, figure } from "../figure.ts";
import { runPaced, type TimedCall } from "../load/paced-calls.ts";
import { createPolicy } from "../peers/api.ts";
import { startPeer } from "../peers/start-peer.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { type ControlSize, type SeededDatabase, seedPostgres, seedSqlite } from "../seed-control-state.ts";
import { quantile, ratios } from "../statistics.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** The last policy is that of the calls: this many are as many as an organization may have. */
const SIZE: ControlSize = { killSwitches: 100_000, policies: 9_999, rules: 20 };

/** Calls a second beside the calls that are timed. */
const LOAD_RATE = 300;

/** Milliseconds between two timed calls. */
const INTERVAL_MS = 5;

/** Timed calls of one turn, as count: 3 s. */
const CALLS = 600;

const READY_LIMIT_MS = 60_000;

/** Revisions from the one before a gap to the one behind it. */
const SKIPPED = 2;

/** Milliseconds between two looks at what the gateway has applied. */
const LOOK_INTERVAL_MS = 10;

const CALLER = join(import.meta.dirname, "..", "peers", "steady-caller.ts");

export const feedSnapshot: Scenario = {
  name: "feed-snapshot",
  title: "A snapshot of 100,000 kill switches and 10,000 policies: at the start, and beside calls",
  run: async (bench) => {
    const figures = await measureSqlite(bench);
    const notes = [
      "loaded: from the commit of a change that does not follow the last one until the gateway has it",
      `beside: ${LOAD_RATE} calls/s and a timed call every ${INTERVAL_MS} ms; quiet: no snapshot`,
      "denied: the state before the snapshot decides until the lease ends that was running",
    ];
    if (findPostgresPrograms() === null) notes.push("this machine has no PostgreSQL");
    else figures.push(...(await measurePostgres(bench)));
    return { kind: "measured", figures, notes };
  },
};

async function measureSqlite(bench: Bench): Promise<Figure[]> {
  const dataDir = await temporaryFolder(bench.dataFolder, bench.cleanup);
  bench.say("SQLite: writing the control state");
  const database = await seedSqlite(dataDir, SIZE);
  return measure(bench, { name: "SQLite", env: { SVC_DATA_DIR: dataDir }, database });
}

async function measurePostgres(bench: Bench): Promise<Figure[]> {
  const server = await startPostgresServer();
  bench.cleanup.defer(() => server.stop());
  const url = await server.createDatabase();
  bench.say("PostgreSQL: writing the control state");
  const database = await seedPostgres(url, SIZE);
  return measure(bench, { name: "PostgreSQL", env: { SVC_DATABASE_URL: url }, database });
}

interface Subject {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly database: SeededDatabase;
}

async function measure(bench: Bench, { name, env, database }: Subject): Promise<Figure[]> {
  const startedMs = performance.now();
  const product = await startProduct(bench, env);
  const listeningMs = performance.now() - startedMs;
  await untilReady(product.ready);
  const readyMs = performance.now() - startedMs;
  await createPolicy(product.ready, benchmarkPolicy({ walkedRules: SIZE.rules }));
  const caller = await startPeer(CALLER, [String(LOAD_RATE), product.ready], bench.cleanup);
  await timedCalls(product);
  bench.say(`${name}: warm, ${bench.rounds} rounds`);
  const quiet: TimedCall[][] = [];
  const loading: TimedCall[][] = [];
  const loadedMs: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    quiet.push(await timedCalls(product));
    const calls = timedCalls(product);
    loadedMs.push(await timedGap(product, database));
    loading.push(await calls);
  }
  await Promise.all([caller.stop(), product.stop(), database.close()]);
  return [
    figure(`${name}: start of the process until it listens`, "ms", [listeningMs]),
    figure(`${name}: start of the process until all policies are in force`, "ms", [readyMs]),
    figure(`${name}: loaded`, "ms", loadedMs, atMost(2_000)),
    figure(`${name}: timed calls denied meanwhile`, "count", loading.map(denied), atMost(0)),
    figure(`${name}: p99 of calls beside, to quiet`, "ratio", ratios(loading.map(p99), quiet.map(p99))),
    figure(`${name}: longest call, quiet`, "ms", quiet.map(longest)),
    figure(`${name}: longest call beside`, "ms", loading.map(longest)),
    figure(`${name}: p99 of calls, quiet`, "ms", quiet.map(p99)),
    figure(`${name}: p99 of calls beside`, "ms", loading.map(p99)),
  ];
}

function timedCalls({ ready }: RunningChild): Promise<TimedCall[]> {
  const [body = ""] = executeBodies(1, 1);
  const call = { url: `${ready}/api/v1/gateway/execute`, body: Buffer.from(body) };
  return runPaced({ ...call, intervalMs: INTERVAL_MS, count: CALLS });
}

/** @returns milliseconds from the commit of a change behind a gap until the gateway has applied it */
async function timedGap(product: RunningChild, database: SeededDatabase): Promise<number> {
  const wanted = (await appliedRevision(product)) + SKIPPED;
  await database.skipRevision();
  const startedMs = performance.now();
  while ((await appliedRevision(product)) < wanted) {
    if (performance.now() - startedMs > READY_LIMIT_MS) throw new Error("expected the snapshot to be loaded");
    await delay(LOOK_INTERVAL_MS);
  }
  return performance.now() - startedMs;
}

async function appliedRevision({ ready }: RunningChild): Promise<number> {
  const { gateways } = (await (await fetch(`${ready}/api/v1/gateways`)).json()) as {
    gateways: readonly { readonly applied_revision: number }[];
  };
  return gateways[0]?.applied_revision ?? 0;
}

function denied(calls: readonly TimedCall[]): number {
  return calls.filter(({ answer }) => answer !== "allow").length;
}

function p99(calls: readonly TimedCall[]): number {
  return quantile(
    calls.map(({ ms }) => ms),
    0.99,
  );
}

function longest(calls: readonly TimedCall[]): number {
  return Math.max(...calls.map(({ ms }) => ms));
}

async function untilReady(url: string): Promise<void> {
  const deadlineMs = performance.now() + READY_LIMIT_MS;
  while ((await fetch(`${url}/readyz`)).status !== 200) {
    if (performance.now() > deadlineMs) throw new Error("not ready in time");
  }
}
