import { type IndexDatabase, integer } from "../database/index-database.ts";
import { type DigestColumn, ENTRIES, OUTCOMES, orderColumn } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { allowClasses } from "./allow-classes.ts";

/** Which calls are counted. `account`: all of the organization, whatever `targetId` is. */
export interface AllowedCallsQuery {
  readonly org: string;
  readonly scope: "session" | "agent" | "tool" | "namespace" | "account";
  readonly targetId: string | null;
  /** Unix milliseconds. */
  readonly sinceMs: number;
}

/** Rows that one count looks at, as count: some tenths of a second of the thread of questions. */
const MAX_ROWS = 200_000;

/** Counts the allowed calls of a target. A withdrawn one is not among them, because nobody got it. */
export async function countAllowed(
  database: IndexDatabase,
  { org, scope, targetId, sinceMs }: AllowedCallsQuery,
): Promise<{ readonly allowed: number; readonly withoutOutcome: number; readonly complete: boolean }> {
  const column: DigestColumn = scope === "account" ? "org" : scope;
  const at = orderColumn(column);
  const isAllow = `e.class IN (${allowClasses(org).join(", ")})`;
  const rows = await database.all(
    `SELECT count(*) AS n,
        count(CASE WHEN ${isAllow} AND coalesce(o.withdrawn, 0) = 0 THEN 1 END) AS allowed,
        count(CASE WHEN ${isAllow} AND o.decision IS NULL THEN 1 END) AS open
      FROM (SELECT place, class FROM ${ENTRIES.name} WHERE ${column} = ?1 AND ${at} >= ?2
        ORDER BY ${at} DESC, place DESC LIMIT ${String(MAX_ROWS + 1)}) AS e
      LEFT JOIN ${OUTCOMES.name} AS o ON o.decision = e.place`,
    [nameDigest(column, org, scope === "account" ? "" : (targetId ?? "")), sinceMs],
  );
  const [row = {}] = rows;
  return {
    allowed: integer(row, "allowed"),
    withoutOutcome: integer(row, "open"),
    complete: integer(row, "n") <= MAX_ROWS,
  };
}
