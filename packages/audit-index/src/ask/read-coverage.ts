import { type IndexDatabase, integer, type Row, textOf } from "../database/index-database.ts";
import { AGENTS, type DigestColumn, ENTRIES, OUTCOMES, orderColumn } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { allowClasses } from "./allow-classes.ts";

/** Which decisions are compared with the reports about them. Times are Unix milliseconds. */
export interface CoverageQuery {
  readonly org: string;
  /** Null: every agent. */
  readonly agentId: string | null;
  readonly sinceMs: number;
  /** The first moment that is left out. */
  readonly untilMs: number;
}

/** Rows that one question looks at, as count: the newest ones, some tenths of a second of its thread. */
const MAX_ROWS = 50_000;

/** What one key asked and reported in one session of one agent. */
export interface ReportedPart {
  /** Allowed calls whose caller got the verdict. */
  readonly allows: number;
  /** Those of them about which a report came, whatever it says. */
  readonly reported: number;
  /** Those of them that a report says ran. */
  readonly ran: number;
  /** Calls that were not allowed, and that a report says ran. */
  readonly unallowed: number;
  /** The newest allowed call without a report, and the newest call of `unallowed`. Null: there is none. */
  readonly missingPlace: number | null;
  readonly unallowedPlace: number | null;
}

/** Compares decisions with reports, for each key in each session. `complete`: every row was looked at. */
export async function readCoverage(
  database: IndexDatabase,
  { org, agentId, sinceMs, untilMs }: CoverageQuery,
): Promise<{ readonly parts: readonly ReportedPart[]; readonly complete: boolean }> {
  const column: DigestColumn = agentId === null ? "org" : "agent";
  const at = orderColumn(column);
  const chosen = `FROM ${ENTRIES.name} WHERE ${column} = ?1 AND ${at} >= ?2 AND ${at} < ?3
    ORDER BY ${at} DESC, place DESC LIMIT ${String(MAX_ROWS + 1)}`;
  const isAllow = `e.class IN (${allowClasses(org).join(", ")})`;
  const hasRun = "o.status IN ('succeeded', 'failed')";
  const isGiven = "coalesce(o.withdrawn, 0) = 0";
  const countOf = (...conditions: readonly string[]): string =>
    `count(CASE WHEN ${conditions.join(" AND ")} THEN 1 END)`;
  const newest = (...conditions: readonly string[]): string =>
    `max(CASE WHEN ${conditions.join(" AND ")} THEN e.place END)`;
  const rows = await database.all(
    `SELECT count(*) AS n,
        ${countOf(isAllow, isGiven)} AS allows,
        ${countOf(isAllow, isGiven, "o.decision IS NOT NULL")} AS reported,
        ${countOf(isAllow, isGiven, hasRun)} AS ran,
        ${countOf(`NOT ${isAllow}`, isGiven, hasRun)} AS unallowed,
        ${newest(isAllow, "o.decision IS NULL")} AS missing_place,
        ${newest(`NOT ${isAllow}`, isGiven, hasRun)} AS unallowed_place
      FROM (SELECT place, class, agent, session, principal ${chosen}) AS e
      LEFT JOIN ${OUTCOMES.name} AS o ON o.decision = e.place
      GROUP BY e.agent, e.session, e.principal`,
    [nameDigest(column, org, agentId ?? ""), sinceMs, untilMs],
  );
  const looked = rows.reduce((total, row) => total + integer(row, "n"), 0);
  return { parts: rows.map(partOf), complete: looked <= MAX_ROWS };
}

/** The organizations whose agents called since then. */
export async function readActiveOrgs(database: IndexDatabase, sinceMs: number): Promise<readonly string[]> {
  const rows = await database.all(
    `SELECT DISTINCT org FROM ${AGENTS.name} WHERE last_at >= ?1 ORDER BY org`,
    [sinceMs],
  );
  return rows.map((row) => textOf(row, "org"));
}

function partOf(row: Row): ReportedPart {
  const place = (column: string): number | null => (row[column] === null ? null : integer(row, column));
  return {
    allows: integer(row, "allows"),
    reported: integer(row, "reported"),
    ran: integer(row, "ran"),
    unallowed: integer(row, "unallowed"),
    missingPlace: place("missing_place"),
    unallowedPlace: place("unallowed_place"),
  };
}
