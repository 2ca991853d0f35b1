import { type IndexDatabase, integer, textOf, type Value } from "../database/index-database.ts";
import { AGENTS } from "../database/index-tables.ts";

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
