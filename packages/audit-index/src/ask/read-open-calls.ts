import { type IndexDatabase, integer } from "../database/index-database.ts";
import { ENTRIES, OUTCOMES } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { allowClasses } from "./allow-classes.ts";

/** Allowed calls of a namespace since a time, in Unix milliseconds, that have no outcome. */
export interface OpenToolsQuery {
  readonly org: string;
  readonly namespace: string;
  readonly sinceMs: number;
}

export interface OpenCallersQuery extends OpenToolsQuery {
  readonly tools: readonly string[];
}

/** Rows of the namespace that one question looks at, as count: the newest ones. */
const MAX_ROWS = 20_000;

/** Different tools, and different agents, that one answer names, as count of each. */
const MAX_NAMES = 2_000;

interface FoundPlaces {
  /** One call of each tool or agent. Its row has the names. */
  readonly places: readonly number[];
  readonly complete: boolean;
}

/** One open call of each tool. */
export async function readOpenTools(database: IndexDatabase, query: OpenToolsQuery): Promise<FoundPlaces> {
  return readOpen(database, query, "tool");
}

/** One open call of each agent, with one of the tools. */
export async function readOpenCallers(
  database: IndexDatabase,
  query: OpenCallersQuery,
): Promise<FoundPlaces> {
  return query.tools.length === 0
    ? { places: [], complete: true }
    : readOpen(database, query, "agent", query.tools);
}

async function readOpen(
  database: IndexDatabase,
  { org, namespace, sinceMs }: OpenToolsQuery,
  group: "tool" | "agent",
  tools: readonly string[] = [],
): Promise<FoundPlaces> {
  const names = tools.map((tool) => String(nameDigest("tool", org, tool)));
  const isTool = names.length === 0 ? "" : `AND e.tool IN (${names.join(", ")})`;
  const chosen = `SELECT place, class, agent, tool FROM ${ENTRIES.name} WHERE namespace = ?1 AND at >= ?2
    ORDER BY at DESC, place DESC LIMIT ${String(MAX_ROWS + 1)}`;
  const values = [nameDigest("namespace", org, namespace), sinceMs];
  const [counted = {}] = await database.all(`SELECT count(*) AS n FROM (${chosen}) AS e`, values);
  const rows = await database.all(
    `SELECT max(e.place) AS place FROM (${chosen}) AS e
      LEFT JOIN ${OUTCOMES.name} AS o ON o.decision = e.place
      WHERE o.decision IS NULL AND e.class IN (${allowClasses(org).join(", ")}) ${isTool}
      GROUP BY e.${group} LIMIT ${String(MAX_NAMES + 1)}`,
    values,
  );
  return {
    places: rows.slice(0, MAX_NAMES).map((row) => integer(row, "place")),
    complete: integer(counted, "n") <= MAX_ROWS && rows.length <= MAX_NAMES,
  };
}
