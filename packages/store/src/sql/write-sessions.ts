import { type RawBuilder, sql, type Transaction } from "kysely";
import type { SessionName, SupervisedSession } from "../ports/supervision-store.ts";
import type { Dialect, TransactionContext } from "./store-context.ts";
import { nameKey, rowOf, sessionOf } from "./supervised-session.ts";
import type { SupervisedSessionsTable } from "./supervision-tables.ts";
import type { Tables } from "./tables.ts";

/** The columns with their types in PostgreSQL. Those of the primary key come first. */
const COLUMNS = {
  org: "text",
  agent_id: "text",
  session_id: "text",
  namespace: "text",
  parent_session_id: "text",
  parent_agent_id: "text",
  version: "bigint",
  started_at_ms: "bigint",
  last_heartbeat_ms: "bigint",
  severity: "text",
  severity_rank: "bigint",
  severity_since_ms: "bigint",
  reason: "text",
  missed_heartbeats: "bigint",
  heard: "bigint",
  reauthenticated: "bigint",
  orphaned_at_ms: "bigint",
  ended_at_ms: "bigint",
  contained: "text",
} as const satisfies Readonly<Record<keyof SupervisedSessionsTable, "text" | "bigint">>;

const NAMES = Object.keys(COLUMNS);

const KEY = ["org", "agent_id", "session_id"] as const;

/**
 * Milliseconds after which PostgreSQL ends a write whose process is paused or cut off. Until then nobody else
 * can store a heartbeat, so it is shorter than for other transactions.
 */
const PAUSED_WRITE_MS = 2_000;

/** Numbers for writes: `first` and those that follow. No other write gets them until this one commits. */
export interface Numbers {
  readonly first: number;
  /** Unix milliseconds by the clock of the store, read when the lock was held. */
  readonly nowMs: number;
  /** Milliseconds for which the database waited for the lock. */
  readonly lockedMs: number;
}

/**
 * Takes numbers for writes of sessions. Writes run one after another across all processes of the database,
 * so that what one read decides stays true until it commits. Lock order: control head, this, then log head.
 */
export async function takeNumbers(inside: TransactionContext, count: number): Promise<Numbers> {
  const { rows } = await sql<{ number: number; now_ms: number; locked_ms: number }>`
    UPDATE supervision_head SET number = number + ${count}
      RETURNING number, ${nowMsOf(inside)} AS now_ms, ${lockedMsOf(inside)} AS locked_ms
        ${endsWhenPaused(inside)}`.execute(inside.trx);
  const [row] = rows;
  if (row === undefined) throw new Error("supervision_head: expected one row, found none");
  return { first: row.number - count + 1, nowMs: row.now_ms, lockedMs: row.locked_ms };
}

/** The embedded database has its lock before this statement. */
function lockedMsOf({ dialect }: Pick<TransactionContext, "dialect">): RawBuilder<number> {
  return dialect === "sqlite"
    ? sql<number>`0`
    : sql<number>`(extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000)::bigint`;
}

/** Takes effect with the statement that takes the lock, for its transaction alone. */
function endsWhenPaused({ dialect }: Pick<TransactionContext, "dialect">): RawBuilder<unknown> {
  return dialect === "sqlite"
    ? sql``
    : sql`, set_config('idle_in_transaction_session_timeout', ${sql.lit(String(PAUSED_WRITE_MS))}, true)`;
}

/** Unix milliseconds by the clock of the store. */
export function nowMsOf({
  dialect,
  nowMs,
}: {
  readonly dialect: Dialect;
  readonly nowMs: () => number;
}): RawBuilder<number> {
  return dialect === "sqlite"
    ? sql<number>`${sql.lit(nowMs())}`
    : sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
}

/** The sessions with these names, by `nameKey`. */
export async function readSessions(
  { trx, dialect }: Pick<TransactionContext, "trx" | "dialect">,
  names: readonly SessionName[],
): Promise<Map<string, SupervisedSession>> {
  const asked = JSON.stringify(names.map(({ org, agentId, sessionId }) => [org, agentId, sessionId]));
  const { rows } = await sql<SupervisedSessionsTable>`
    SELECT s.* FROM ${namedBy(dialect, asked)} JOIN supervised_sessions AS s
      ON s.org = j.org AND s.agent_id = j.agent_id AND s.session_id = j.session_id`.execute(trx);
  return new Map(rows.map(sessionOf).map((session) => [nameKey(session), session]));
}

function namedBy(dialect: Dialect, asked: string): RawBuilder<unknown> {
  return dialect === "sqlite"
    ? sql`(SELECT value ->> 0 AS org, value ->> 1 AS agent_id, value ->> 2 AS session_id
        FROM json_each(${asked})) AS j`
    : sql`(SELECT (value ->> 0) COLLATE "C" AS org, (value ->> 1) COLLATE "C" AS agent_id,
        (value ->> 2) COLLATE "C" AS session_id FROM jsonb_array_elements(${asked}::jsonb) AS value) AS j`;
}

/** Writes each session as it is, all with one statement. No session is named twice. */
export async function writeSessions(
  trx: Transaction<Tables>,
  dialect: Dialect,
  sessions: readonly SupervisedSession[],
): Promise<void> {
  if (sessions.length === 0) return;
  const rows = JSON.stringify(sessions.map(rowOf));
  await sql`INSERT INTO supervised_sessions (${list(NAMES)}) SELECT ${list(NAMES)}
    FROM ${rowsIn(dialect, rows)} WHERE true
    ON CONFLICT (${list(KEY)}) DO UPDATE SET ${sql.join(NAMES.slice(KEY.length).map(replaced))}`.execute(trx);
}

function rowsIn(dialect: Dialect, rows: string): RawBuilder<unknown> {
  if (dialect === "sqlite") {
    const columns = NAMES.map((name) => sql`value ->> ${sql.lit(name)} AS ${sql.ref(name)}`);
    return sql`(SELECT ${sql.join(columns)} FROM json_each(${rows}))`;
  }
  const columns = Object.entries(COLUMNS).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  return sql`jsonb_to_recordset(${rows}::jsonb) AS j(${sql.join(columns)})`;
}

function list(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

function replaced(name: string): RawBuilder<unknown> {
  return sql`${sql.ref(name)} = excluded.${sql.ref(name)}`;
}
