// peers: postgres
// long: it pauses, kills and cuts off the process that supervises
// waits: until another process leads and silent agents are terminated

import { openPostgresStore } from "@svc/store/open-postgres-store";
import type { SupervisedSession, WatchSpan } from "@svc/store/ports/supervision-store";
import { startDatabaseLink } from "@svc/store/testing/database-link";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { isLongRun } from "@svc/text/testing/runs";
import { Client as Connection } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { BOOTSTRAP_ENV, type Client, clientOf, issueKey, operatorOf } from "../../support/server/api-keys.ts";
import { type Cluster, clusterOfTest } from "../../support/server/cluster.ts";
import { LEADER_FAULTS, type LeaderFault, type LinkedLeader } from "../../support/server/leader-faults.ts";
import type { ServerProcess } from "../../support/server/server-process.ts";
import {
  FAST_LADDER,
  rowsOf,
  STEP_WITHIN_MS,
  setLadder,
  untilSeverity,
} from "../../support/server/supervision.ts";
import { dueAtMs } from "../../support/server/watched-time.ts";

const SECOND_MS = 1_000;

/** Milliseconds of watched time that a lost leader may not have noted: its last note, and one look. */
const UNNOTED_MS = 1_250;

/**
 * Milliseconds that a process may be kept from running by others on a busy machine. A supervisor that was
 * kept from looking for a second also waits for one interval.
 */
const BUSY_MS = 5_000;

/** Milliseconds between two heartbeats of the agent that lives. */
const LIVELY_MS = 200;

const INTERVAL_MS = FAST_LADDER.interval_seconds * SECOND_MS;

const SILENT = { org: "default", agentId: "silent", sessionId: "run-1" };

type Row = Readonly<Record<string, unknown>>;

interface Stage {
  readonly cluster: Cluster;
  readonly leader: LinkedLeader;
  readonly other: ServerProcess;
  /** Asks the other process. */
  readonly operator: Client;
  readonly beat: (server: ServerProcess, agent: string) => Promise<unknown>;
}

const supervises = (server: ServerProcess) =>
  expect
    .poll(() => server.output(), { timeout: STEP_WITHIN_MS, interval: 50 })
    .toContain("this process supervises heartbeats");

/** Two processes of one database, of which the first supervises. */
async function startStage(cluster: Cluster): Promise<Stage> {
  const link = await startDatabaseLink(cluster.databaseUrl);
  onTestFinished(() => link.close());
  const env = BOOTSTRAP_ENV;
  const server = await cluster.start("gw-1", "all", { databaseUrl: link.url, env });
  await supervises(server);
  const other = await cluster.start("gw-2", "all", { env });
  const operator = operatorOf(other);
  await setLadder(operator, FAST_LADDER);
  const keys = new Map<string, string>();
  for (const agent of ["silent", "lively"])
    keys.set(agent, (await issueKey(operator, { name: agent, agents: [agent] })).key);
  const beat = async (at: ServerProcess, agent: string) => {
    const json = { session_id: agent === "silent" ? SILENT.sessionId : "run-2" };
    const { status } = await clientOf(at, keys.get(agent) ?? "")("POST", `agents/${agent}/heartbeat`, {
      json,
    });
    return status;
  };
  // A session that is heard before its supervisor knows the interval is given an old one of grace.
  for (const at of [server, other]) {
    const client = clientOf(at, keys.get("lively") ?? "");
    const json = { session_id: "run-0", ended: true };
    const told = async () =>
      (await client("POST", "agents/lively/heartbeat", { json })).body["interval_seconds"];
    await expect.poll(told, { timeout: STEP_WITHIN_MS, interval: 100 }).toBe(FAST_LADDER.interval_seconds);
  }
  return { cluster, leader: { server, link }, other, operator, beat };
}

/** Sends heartbeats until the test ends. They go to another process from the moment of a fault on. */
function keepAlive({ beat, leader, other }: Stage): { readonly moveOver: () => void } {
  let at = leader.server;
  const timer = setInterval(() => void beat(at, "lively").catch(() => undefined), LIVELY_MS);
  onTestFinished(() => clearInterval(timer));
  return {
    moveOver: () => {
      at = other;
    },
  };
}

/** What the database knows of the silent session, and when somebody watched. */
async function readStore({
  databaseUrl,
}: Cluster): Promise<{ session: SupervisedSession; spans: readonly WatchSpan[] }> {
  const store = await openPostgresStore({ url: databaseUrl, logId: "observer" });
  try {
    const session = await store.supervision.session(SILENT);
    if (session === null) throw new Error("expected the silent session");
    return { session, spans: await store.supervision.watchSpans() };
  } finally {
    await store.close();
  }
}

const steps = (rows: readonly Row[]): readonly string[] =>
  rows.map((row) => `${String(row["previous_severity"])} ${String(row["severity"])}`);

const timeOf = (row: Row | undefined): number => Date.parse(String(row?.["time"]));

/** Each step once, none early, and each with as many missed heartbeats as the silence had. */
async function expectLadder({ operator, cluster }: Stage, faultAtMs: number): Promise<void> {
  const rows = await rowsOf(operator, "kind=severity&agent_id=silent");
  expect(steps(rows)).toEqual(["INFO INFO", "INFO WARNING", "WARNING CRITICAL", "CRITICAL EMERGENCY"]);
  const { session, spans } = await readStore(cluster);
  const heardAtMs = session.lastHeartbeatMs;
  const [, warning, critical, emergency] = rows;
  expect(timeOf(warning)).toBeGreaterThanOrEqual(heardAtMs + FAST_LADDER.warn_after_missed * INTERVAL_MS);
  // The time between the two spans is that in which nobody watched.
  const [before, after] = spans.slice(-2);
  expect(spans.length).toBeGreaterThanOrEqual(2);
  expect(before?.untilMs).toBeGreaterThanOrEqual(faultAtMs - UNNOTED_MS - BUSY_MS);
  expect(after?.fromMs).toBeGreaterThan(faultAtMs);
  const due = (missed: number) =>
    dueAtMs({ heardAtMs, spans, silenceMs: missed * INTERVAL_MS, graceMs: INTERVAL_MS });
  expect(timeOf(critical)).toBeGreaterThanOrEqual(due(FAST_LADDER.critical_after_missed));
  expect(timeOf(emergency)).toBeGreaterThanOrEqual(
    Math.max(due(FAST_LADDER.emergency_after_missed), timeOf(critical)),
  );
  for (const [index, at] of [1, 2, 3, 5].entries()) {
    const row = rows[index];
    const missed = Number(row?.["missed_heartbeats"]);
    expect(missed).toBeGreaterThanOrEqual(at);
    expect(missed).toBeLessThanOrEqual((timeOf(row) - heardAtMs) / INTERVAL_MS);
  }
}

async function untilSwitch({ operator }: Stage): Promise<void> {
  const active = async () => (await operator("GET", "kill-switch")).body["kill_switches"];
  await expect.poll(active, { timeout: STEP_WITHIN_MS, interval: 50 }).toHaveLength(1);
  expect(await active()).toMatchObject([
    { scope: "session", target_id: "run-1", trigger_source: "rogue_detection" },
  ]);
}

async function expectOneSwitch(stage: Stage): Promise<void> {
  const { operator } = stage;
  await untilSwitch(stage);
  expect(await rowsOf(operator, "kind=kill_switch")).toMatchObject([
    { action: "activated", trigger_source: "rogue_detection" },
  ]);
}

/** The process that led is back, and knows that it does not lead any more. */
const isDeposed = ({ server }: LinkedLeader) =>
  expect
    .poll(() => server.output(), { timeout: STEP_WITHIN_MS, interval: 50 })
    .toContain("another process supervises heartbeats now");

async function loseLeader(stage: Stage, { begin, end }: LeaderFault): Promise<void> {
  const { leader, other, operator, beat } = stage;
  const lively = keepAlive(stage);
  expect(await beat(leader.server, "silent")).toBe(200);
  await untilSeverity(operator, "silent", "WARNING");
  const faultAtMs = Date.now();
  await begin(leader);
  lively.moveOver();
  await supervises(other);
  await untilSeverity(operator, "silent", "CRITICAL");
  // The process that led comes back before the last step is due.
  if (end !== null) await end(leader);
  await untilSeverity(operator, "silent", "EMERGENCY");
  await untilSwitch(stage);
  if (end !== null) await isDeposed(leader);
  await expectLadder(stage, faultAtMs);
  await expectOneSwitch(stage);
  // A busy machine may send one of its heartbeats late, which is within tolerance.
  const raised = (await rowsOf(operator, "kind=severity&agent_id=lively")).filter(
    ({ severity }) => severity !== "INFO",
  );
  expect(raised).toEqual([]);
}

/** A connection that keeps everybody from reading or writing kill switches until it is released. */
async function lockSwitches({ databaseUrl }: Cluster) {
  const connection = new Connection({ connectionString: databaseUrl });
  await connection.connect();
  await connection.query("BEGIN; LOCK TABLE kill_switches IN ACCESS EXCLUSIVE MODE");
  const waiting = async () => {
    // A transaction sees the activity of others as it was when it looked first.
    await connection.query("SELECT pg_stat_clear_snapshot()");
    const { rows } = await connection.query<{ count: number }>(
      "SELECT count(*)::int FROM pg_stat_activity " +
        "WHERE wait_event_type = 'Lock' AND query LIKE '%kill_switches%'",
    );
    return rows[0]?.count;
  };
  const end = () => connection.end().catch(() => undefined);
  onTestFinished(end);
  return { waiting, release: end };
}

async function loseLeaderWithinSwitch(stage: Stage, { begin, end }: LeaderFault): Promise<void> {
  const { cluster, leader, other, operator, beat } = stage;
  expect(await beat(leader.server, "silent")).toBe(200);
  await untilSeverity(operator, "silent", "CRITICAL");
  const lock = await lockSwitches(cluster);
  await untilSeverity(operator, "silent", "EMERGENCY");
  await expect.poll(lock.waiting, { timeout: STEP_WITHIN_MS, interval: 20 }).toBeGreaterThan(0);
  await begin(leader);
  await lock.release();
  await supervises(other);
  // PostgreSQL ends the transaction of a paused process, which keeps others from changing control state.
  await untilSwitch(stage);
  if (end !== null) {
    await end(leader);
    await isDeposed(leader);
  }
  await expectOneSwitch(stage);
}

/** How else a link can break is tested with the process that ends switches, and in the long run here. */
const FAULTS = isLongRun
  ? LEADER_FAULTS
  : LEADER_FAULTS.filter(({ name }) => ["kill -9", "SIGSTOP", "a connection that is silent"].includes(name));

describePostgres("the loss of the process that supervises", (postgres) => {
  // proves ROGUE-12
  it.each(FAULTS)(
    "by $name: another one takes each step once, in watched time",
    async (fault) => {
      await loseLeader(await startStage(await clusterOfTest(postgres())), fault);
    },
    90_000,
  );

  // proves ROGUE-09
  it.each(LEADER_FAULTS.filter(({ name }) => name === "kill -9" || name === "SIGSTOP"))(
    "by $name while it activates the kill switch: there is one switch",
    async (fault) => {
      await loseLeaderWithinSwitch(await startStage(await clusterOfTest(postgres())), fault);
    },
    90_000,
  );
});
