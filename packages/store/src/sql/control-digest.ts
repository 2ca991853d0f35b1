import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "./store-context.ts";

/** What distinguishes an event from another one of the same revision. One process owns an embedded store. */
export function digestOf(dialect: Dialect, change: string): string {
  return dialect === "sqlite" ? "" : createHash("sha256").update(change, "utf8").digest("hex");
}

/** The digest, computed by the database; null when it holds no event of that revision. */
export function digestAt(dialect: Dialect, revision: number | RawBuilder<number>): RawBuilder<string | null> {
  const digest = dialect === "sqlite" ? sql`''` : sql`encode(sha256(convert_to(change, 'UTF8')), 'hex')`;
  return sql<string | null>`(SELECT ${digest} FROM control_events WHERE revision = ${revision})`;
}
