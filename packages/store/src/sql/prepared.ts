import { type RawBuilder, sql } from "kysely";

const PREPARED = /^\s*\/\* prepared: ([a-z-]+) \*\//;

/**
 * Begins a statement that PostgreSQL parses and plans once for each connection. It must always have the same
 * text, and name its columns: a later version of the program may add some while this one runs.
 */
export function prepared(name: string): RawBuilder<unknown> {
  return sql.raw(`/* prepared: ${name} */`);
}

/** The name that a statement begins with; null for one that is parsed each time. */
export function preparedName(text: string): string | null {
  return PREPARED.exec(text)?.[1] ?? null;
}
