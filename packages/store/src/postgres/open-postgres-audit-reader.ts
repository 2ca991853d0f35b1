import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import type { AuditReader } from "../ports/audit-store.ts";
import { createAuditStore } from "../sql/audit-store.ts";
import { readingContext } from "../sql/reading-context.ts";
import type { Tables } from "../sql/tables.ts";
import { connectionConfig } from "./connection-config.ts";
import { deadlinePool } from "./deadline-pool.ts";

/** Connections of one reader, as count. */
const MAX_CONNECTIONS = 2;

/** Opens the logs of a PostgreSQL store for reading alone, beside the processes that write them. */
export function openPostgresAuditReader(url: string): AuditReader {
  const pool = new Pool({ ...connectionConfig(url), max: MAX_CONNECTIONS });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: deadlinePool(pool) }) });
  return { audit: createAuditStore(readingContext(db, "postgres")), close: () => db.destroy() };
}
