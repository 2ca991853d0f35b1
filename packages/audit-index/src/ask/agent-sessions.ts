import type { SessionsFound } from "../audit-answers.ts";
import { type IndexDatabase, integer, type Value } from "../database/index-database.ts";
import { ENTRIES } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { readFacts, withDecision } from "../read-facts.ts";
import type { RowSources } from "./row-sources.ts";

export interface AgentSessionsQuery {
  readonly org: string;
  readonly agentId: string;
  readonly limit: number;
  /** Only sessions whose last row stands behind this one; null: from the newest. */
  readonly before: { readonly at: number; readonly place: number } | null;
}

/** The sessions of an agent. Their names come from the rows themselves. */
export async function answerAgentSessions(
  { database, audit, positionAt }: RowSources,
  query: AgentSessionsQuery,
): Promise<Omit<SessionsFound, "behind">> {
  const { org, agentId, limit } = query;
  const read = await readAgentSessions(database, { ...query, limit: limit + 1 });
  const shown = read.sessions.slice(0, limit);
  const sessions = await Promise.all(
    shown.map(async ({ place, ...counted }) => {
      const stored = await audit.row(positionAt(place));
      const facts = stored === null ? null : readFacts(stored.bytes);
      const about = facts === null || facts.about === null ? null : await audit.row(facts.about);
      const decision = about === null ? null : readFacts(about.bytes);
      const whole = facts === null ? null : withDecision(facts, decision);
      const isOwn = whole?.org === org && whole.agent === agentId && whole.session !== null;
      return isOwn ? { sessionId: whole.session, ...counted } : null;
    }),
  );
  const last = shown.at(-1);
  const isMore = read.sessions.length > limit && last !== undefined;
  return {
    sessions: sessions.filter((session) => session !== null),
    next: isMore ? { at: last.lastAt, place: last.place } : null,
    complete: read.complete,
  };
}

/** Rows of one agent that a list of its sessions looks at, as count: the newest ones. */
const MAX_ROWS = 10_000;

/** Sessions by the place of one of their rows, which has the name. */
interface SessionByPlace {
  readonly place: number;
  readonly rows: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Sessions of an agent, the latest first. `complete`: all rows of the agent were looked at. */
async function readAgentSessions(
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
