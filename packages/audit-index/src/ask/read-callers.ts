import { type IndexDatabase, integer } from "../database/index-database.ts";
import { type DigestColumn, ENTRIES, orderColumn } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { decisionClasses } from "./allow-classes.ts";
import type { AllowedCallsQuery } from "./count-allowed.ts";

/** Rows that one question looks at, as count: the newest ones. */
const MAX_ROWS = 50_000;

/** Sessions, each of one agent, that one answer names, as count: the row of each is read for its names. */
const MAX_SESSIONS = 1_000;

export interface CallersQuery extends AllowedCallsQuery {
  /** An agent whose calls are passed over, so that no number of them hides another agent. */
  readonly exceptAgent?: string;
}

/** One call of each agent in each session that called the target, whatever was decided. */
export async function readCallers(
  database: IndexDatabase,
  { org, scope, targetId, sinceMs, exceptAgent }: CallersQuery,
): Promise<{ readonly places: readonly number[]; readonly complete: boolean }> {
  const column: DigestColumn = scope === "account" ? "org" : scope;
  const at = orderColumn(column);
  const chosen = `SELECT place, class, agent, session FROM ${ENTRIES.name}
    WHERE ${column} = ?1 AND ${at} >= ?2${exceptAgent === undefined ? "" : " AND agent <> ?3"}
    ORDER BY ${at} DESC, place DESC LIMIT ${String(MAX_ROWS + 1)}`;
  const values = [nameDigest(column, org, scope === "account" ? "" : (targetId ?? "")), sinceMs].concat(
    exceptAgent === undefined ? [] : nameDigest("agent", org, exceptAgent),
  );
  const [counted = {}] = await database.all(`SELECT count(*) AS n FROM (${chosen}) AS e`, values);
  const rows = await database.all(
    `SELECT max(e.place) AS place FROM (${chosen}) AS e
      WHERE e.class IN (${decisionClasses(org).join(", ")})
      GROUP BY e.agent, e.session ORDER BY max(e.place) DESC LIMIT ${String(MAX_SESSIONS + 1)}`,
    values,
  );
  return {
    places: rows.slice(0, MAX_SESSIONS).map((row) => integer(row, "place")),
    complete: integer(counted, "n") <= MAX_ROWS && rows.length <= MAX_SESSIONS,
  };
}
