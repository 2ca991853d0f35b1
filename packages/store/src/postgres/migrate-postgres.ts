import { Kysely, PostgresDialect } from "kysely";
import { migrate } from "../sql/migrate.ts";
import type { Tables } from "../sql/tables.ts";
import { openKyselyPool } from "./primary-pool.ts";
import type { PrimaryServer } from "./primary-server.ts";

/**
 * Milliseconds for one statement of a migration, and for waiting until another process has migrated. An index
 * on a large table takes minutes.
 */
const MIGRATION_LIMIT_MS = 30 * 60 * 1_000;

/** Brings the schema up to date, on a connection whose statements may take their time. */
export async function migratePostgres(server: PrimaryServer, logId: string): Promise<void> {
  const pool = openKyselyPool(server, { max: 1, limitMs: MIGRATION_LIMIT_MS });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrate({ db, dialect: "postgres", logId });
  } finally {
    await db.destroy();
  }
}
