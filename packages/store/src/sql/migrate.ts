import { genesisHash } from "@svc/audit-log/row-hash";
import { type Kysely, sql, type Transaction } from "kysely";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import type { Dialect } from "./store-context.ts";
import type { Tables } from "./tables.ts";

export interface MigrationRequest {
  readonly db: Kysely<Tables>;
  readonly dialect: Dialect;
  /** The log whose (empty) head is created when it is not there. */
  readonly logId: string;
}

/** The PostgreSQL lock that lets one process migrate at a time. The number is arbitrary. */
const MIGRATION_LOCK = 7_361_920_451;

/**
 * Versions by which the schema may be ahead of the program, as count: while the programs of a database are
 * upgraded one after another, the older ones meet the newer schema. So each step of the schema leaves what
 * the version before it reads and writes as it was.
 */
const VERSIONS_AHEAD = 1;

/**
 * Brings the schema up to this program's version, in one transaction, and makes sure that the log has a head.
 * @throws when the schema is too far ahead of this program.
 */
export async function migrate({ db, dialect, logId }: MigrationRequest): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (dialect === "postgres") await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    const found = await schemaVersion(trx);
    for (const migration of MIGRATIONS) {
      if (migration.version > found) await apply(trx, dialect, migration);
    }
    await trx
      .insertInto("audit_logs")
      .values({ log_id: logId, size: 0, head_hash: genesisHash(logId), epoch: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

async function schemaVersion(trx: Transaction<Tables>): Promise<number> {
  await sql`CREATE TABLE IF NOT EXISTS schema_migrations (
    version BIGINT PRIMARY KEY, name TEXT NOT NULL
  )`.execute(trx);
  const { found } = await trx
    .selectFrom("schema_migrations")
    .select((query) => query.fn.max("version").as("found"))
    .executeTakeFirstOrThrow();
  const version = Number(found ?? 0);
  const known = MIGRATIONS.at(-1)?.version ?? 0;
  if (version > known + VERSIONS_AHEAD) {
    throw new Error(
      `the database has schema version ${String(version)}, this program knows ${String(known)} and works ` +
        `with up to ${String(known + VERSIONS_AHEAD)}: start the newer program, or restore a backup from ` +
        "before the upgrade",
    );
  }
  return version;
}

async function apply(trx: Transaction<Tables>, dialect: Dialect, migration: Migration): Promise<void> {
  for (const statement of migration.statements[dialect]) await sql.raw(statement).execute(trx);
  await migration.fill?.(trx);
  const { version, name } = migration;
  await trx.insertInto("schema_migrations").values({ version, name }).execute();
}
