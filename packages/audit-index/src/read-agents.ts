import { type IndexDatabase, integer, textOf, type Value } from "./index-database.ts";
import { AGENTS, ENTRIES } from "./index-tables.ts";
import { nameDigest } from "./name-digest.ts";

/** Which agents a list shows. Null: all. */
export interface AgentsQuery {
  readonly org: string;
  readonly ids: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
  /** A text in the id, whatever its case. */
  readonly text: string | null;
  /** Only ids behind this one; null: from the first. */
  readonly after: string | null;
  readonly limit: number;
}

/** An agent that called. Times are Unix milliseconds. */
export interface SeenAgent {
  readonly id: string;
  /** The namespace of its latest call. */
  readonly namespace: string;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The agents that fit, by id. */
export async function readAgents(database: IndexDatabase, query: AgentsQuery): Promise<readonly SeenAgent[]> {
  const { org, ids, namespaces, text, after, limit } = query;
  if (ids?.length === 0 || namespaces?.length === 0) return [];
  const values: Value[] = [org, after ?? ""];
  const parameter = (value: Value): string => `?${String(values.push(value))}`;
  const conditions = ["org = ?1", "id > ?2"];
  const among = (column: string, list: readonly string[] | null): void => {
    if (list !== null) conditions.push(`${column} IN (${list.map(parameter).join(", ")})`);
  };
  among("id", ids);
  among("namespace", namespaces);
  if (text !== null) conditions.push(`${database.position}(lower(id), ${parameter(text.toLowerCase())}) > 0`);
  const rows = await database.all(
    `SELECT id, namespace, first_at, last_at FROM ${AGENTS.name}
      WHERE ${conditions.join(" AND ")} ORDER BY id LIMIT ${String(limit)}`,
    values,
  );
  return rows.map((row) => ({
    id: textOf(row, "id"),
    namespace: textOf(row, "namespace"),
    firstAt: integer(row, "first_at"),
    lastAt: integer(row, "last_at"),
  }));
}

export interface AgentSessionsQuery {
  readonly org: string;
  readonly agentId: string;
  readonly limit: number;
  /** Only sessions whose last row stands behind this one; null: from the newest. */
  readonly before: { readonly at: number; readonly place: number } | null;
}

/** Rows of one agent that a list of its sessions looks at, as count: the newest ones. */
const MAX_ROWS = 10_000;

/** Sessions by the place of one of their rows, which has the name. */
export interface SessionByPlace {
  readonly place: number;
  readonly rows: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Sessions of an agent, the latest first. `complete`: all rows of the agent were looked at. */
export async function readAgentSessions(
  database: IndexDatabase,
  { org, agentId, limit, before }: AgentSessionsQuery,
): Promise<{ readonly sessions: readonly SessionByPlace[]; readonly complete: boolean }> {
  const values: Value[] = [nameDigest("agent", org, agentId)];
  const rows = await database.all(
    `SELECT e.session AS session, count(*) AS n, min(e.at) AS first_at, max(e.at) AS last_at,
        max(e.place) AS place, (SELECT count(*) FROM (${newest("place")}) AS c) AS looked
      FROM (${newest("session, at, place")}) AS e WHERE e.session IS NOT NULL
      GROUP BY e.session ${before === null ? "" : "HAVING (max(e.at), max(e.place)) < (?2, ?3)"}
      ORDER BY max(e.at) DESC, max(e.place) DESC LIMIT ${String(limit)}`,
    before === null ? values : [...values, before.at, before.place],
  );
  const [first] = rows;
  return {
    sessions: rows.map((row) => ({
      place: integer(row, "place"),
      rows: integer(row, "n"),
      firstAt: integer(row, "first_at"),
      lastAt: integer(row, "last_at"),
    })),
    complete: first === undefined || integer(first, "looked") < MAX_ROWS,
  };
}

function newest(columns: string): string {
  return `SELECT ${columns} FROM ${ENTRIES.name} WHERE agent = ?1
    ORDER BY at DESC, place DESC LIMIT ${String(MAX_ROWS)}`;
}
