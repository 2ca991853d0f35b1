import { type IndexDatabase, integer, type Row, textOf, type Value } from "../database/index-database.ts";
import { AGENTS, CALLS, SESSIONS } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { BUCKET_MS, MINUTE_LEVEL } from "../fill/buckets.ts";
import { type BucketRange, bucketRanges } from "./bucket-ranges.ts";

/** What agents are sorted by. */
export type BusySort = "calls" | "deny" | "pause" | "cost";

/** Which agents called most. Times are Unix milliseconds at a whole minute; the second one is left out. */
export interface BusyAgentsQuery {
  readonly org: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** The time to compare with ends where the other one begins. */
  readonly beforeMs: number;
  readonly sort: BusySort;
  readonly limit: number;
}

export interface AgentCalls {
  readonly calls: number;
  readonly deny: number;
  readonly pause: number;
  readonly costMicroUsd: number;
  /** Sessions that were open: begun before the end, and not ended before the start. Null: too many. */
  readonly sessions: number | null;
}

export interface BusyAgent extends AgentCalls {
  readonly id: string;
  readonly namespace: string;
  /** Calls of its busiest minute: an average hides a burst. */
  readonly busiestMinute: number;
  readonly before: AgentCalls;
}

export interface BusyAgentsRead {
  readonly agents: readonly BusyAgent[];
  /** How many agents called. */
  readonly callers: number;
  /** False: too many agents called in too many minutes, and the earliest of these minutes are left out. */
  readonly complete: boolean;
  /** The first minute with a call of the organization, as Unix milliseconds. Null: there is none. */
  readonly knownSinceMs: number | null;
}

/** Buckets that one question adds up, as count: some tenths of a second of the thread of questions. */
const MAX_BUCKETS = 200_000;

/** Agents whose sessions are counted at once, as count. */
const AGENTS_PER_COUNT = 25;

/** Sessions that are counted at once, as count: those of 25 agents. */
const MAX_SESSIONS = 50_000;

const SORT_COLUMNS: Readonly<Record<BusySort, string>> = {
  calls: "n",
  deny: "denied",
  pause: "paused",
  cost: "cost",
};

const SUMS = `CAST(sum(n) AS BIGINT) AS n, CAST(sum(denied) AS BIGINT) AS denied,
  CAST(sum(paused) AS BIGINT) AS paused, CAST(sum(cost) AS DOUBLE PRECISION) AS cost`;

/** The agents that called most in a time, with what they did before it. */
export async function readBusyAgents(
  database: IndexDatabase,
  query: BusyAgentsQuery,
): Promise<BusyAgentsRead> {
  const { org, sinceMs, untilMs, sort, limit } = query;
  const values: Value[] = [nameDigest("org", org, ""), org];
  const buckets = bucketRanges({ sinceMs, untilMs })
    .toReversed()
    .map(
      (range) => `SELECT * FROM (SELECT agent, n, denied, paused, cost FROM ${CALLS.name}
      WHERE org = ?1 AND ${inRange(range, values)}
      ORDER BY level DESC, bucket DESC LIMIT ${String(MAX_BUCKETS)}) AS part`,
    );
  const column = SORT_COLUMNS[sort];
  const rows = await database.all(
    `SELECT a.id AS id, a.namespace AS namespace, s.* FROM (
        SELECT agent, ${SUMS}, CAST(sum(count(*)) OVER () AS BIGINT) AS looked,
          count(*) OVER () AS callers
        FROM (SELECT * FROM (${buckets.join(" UNION ALL ")}) AS every LIMIT ${String(MAX_BUCKETS)}) AS c
        GROUP BY agent
      ) AS s JOIN ${AGENTS.name} AS a ON a.agent = s.agent AND a.org = ?2
      ORDER BY s.${column} DESC, s.n DESC, a.id LIMIT ${String(limit)}`,
    values,
  );
  const agents = rows.map((row) => integer(row, "agent"));
  const before = await sumsBefore(database, agents, query);
  const peaks = await busiestMinutes(database, agents, query);
  const sessions = await countSessions(database, agents, { sinceMs, untilMs });
  const sessionsBefore = await countSessions(database, agents, {
    sinceMs: query.beforeMs,
    untilMs: sinceMs,
  });
  const [first] = rows;
  return {
    agents: rows.map((row, at) => {
      const agent = agents[at] ?? 0;
      return {
        id: textOf(row, "id"),
        namespace: textOf(row, "namespace"),
        busiestMinute: peaks.get(agent) ?? 0,
        ...callsIn(row, sessions.get(agent) ?? 0),
        before: callsIn(before.get(agent) ?? NO_CALLS, sessionsBefore.get(agent) ?? 0),
      };
    }),
    callers: first === undefined ? 0 : integer(first, "callers"),
    complete: first === undefined || integer(first, "looked") < MAX_BUCKETS,
    knownSinceMs: await firstMinute(database, org),
  };
}

/** The condition of a range. Its values go to the end of the parameters. */
function inRange({ level, from, end }: BucketRange, values: Value[]): string {
  const [first, second, third] = [level, from, end].map((value) => `?${String(values.push(value))}`);
  return `level = ${first ?? ""} AND bucket >= ${second ?? ""} AND bucket < ${third ?? ""}`;
}

async function sumsBefore(
  database: IndexDatabase,
  agents: readonly number[],
  { beforeMs, sinceMs }: BusyAgentsQuery,
): Promise<ReadonlyMap<number, Row>> {
  if (agents.length === 0) return new Map();
  const values: Value[] = [];
  const named = agents.map((agent) => `?${String(values.push(agent))}`).join(", ");
  const parts = bucketRanges({ sinceMs: beforeMs, untilMs: sinceMs }).map(
    (range) => `SELECT agent, n, denied, paused, cost FROM ${CALLS.name}
      WHERE agent IN (${named}) AND ${inRange(range, values)}`,
  );
  const rows = await database.all(
    `SELECT agent, ${SUMS} FROM (${parts.join(" UNION ALL ")}) AS c GROUP BY agent`,
    values,
  );
  return new Map(rows.map((row) => [integer(row, "agent"), row]));
}

/** The most calls of each agent in a minute. Of too many minutes, the latest are looked at. */
async function busiestMinutes(
  database: IndexDatabase,
  agents: readonly number[],
  { sinceMs, untilMs }: BusyAgentsQuery,
): Promise<ReadonlyMap<number, number>> {
  if (agents.length === 0) return new Map();
  const [minuteMs] = BUCKET_MS;
  const values: Value[] = [];
  const named = agents.map((agent) => `?${String(values.push(agent))}`).join(", ");
  const range = {
    level: MINUTE_LEVEL,
    from: Math.floor(sinceMs / minuteMs),
    end: Math.ceil(untilMs / minuteMs),
  };
  const rows = await database.all(
    `SELECT agent, max(n) AS n FROM (SELECT agent, n FROM ${CALLS.name}
      WHERE agent IN (${named}) AND ${inRange(range, values)}
      ORDER BY bucket DESC LIMIT ${String(MAX_BUCKETS)}) AS c GROUP BY agent`,
    values,
  );
  return new Map(rows.map((row) => [integer(row, "agent"), integer(row, "n")]));
}

async function firstMinute(database: IndexDatabase, org: string): Promise<number | null> {
  const [first] = await database.all(
    `SELECT bucket FROM ${CALLS.name} WHERE org = ?1 AND level = ?2 ORDER BY bucket LIMIT 1`,
    [nameDigest("org", org, ""), MINUTE_LEVEL],
  );
  return first === undefined ? null : integer(first, "bucket") * BUCKET_MS[MINUTE_LEVEL];
}

/** How many sessions of each agent were open in a time; null: too many to count. */
async function countSessions(
  database: IndexDatabase,
  agents: readonly number[],
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
): Promise<ReadonlyMap<number, number | null>> {
  const counts = new Map<number, number | null>();
  for (let from = 0; from < agents.length; from += AGENTS_PER_COUNT) {
    const chunk = agents.slice(from, from + AGENTS_PER_COUNT);
    const named = chunk.map((_, at) => `?${String(at + 3)}`).join(", ");
    const rows = await database.all(
      `SELECT agent, count(*) AS n, count(CASE WHEN first_at < ?2 THEN 1 END) AS open FROM (
        SELECT agent, first_at FROM ${SESSIONS.name} WHERE agent IN (${named}) AND last_at >= ?1
          LIMIT ${String(MAX_SESSIONS + 1)}) AS s GROUP BY agent`,
      [sinceMs, untilMs, ...chunk],
    );
    const looked = rows.reduce((sum, row) => sum + integer(row, "n"), 0);
    const open = new Map(rows.map((row) => [integer(row, "agent"), integer(row, "open")]));
    for (const agent of chunk) counts.set(agent, looked > MAX_SESSIONS ? null : (open.get(agent) ?? 0));
  }
  return counts;
}

const NO_CALLS: Row = { n: 0, denied: 0, paused: 0, cost: 0 };

function callsIn(row: Row, sessions: number | null): AgentCalls {
  const cost = row["cost"];
  return {
    calls: integer(row, "n"),
    deny: integer(row, "denied"),
    pause: integer(row, "paused"),
    costMicroUsd: typeof cost === "number" ? Math.max(0, Math.round(cost)) : 0,
    sessions,
  };
}
