import { Kysely, PostgresDialect } from "kysely";
import type { AuditReader } from "../ports/audit-store.ts";
import type { RowPosition } from "../ports/row-position.ts";
import { createAuditStore } from "../sql/audit-store.ts";
import { readingContext } from "../sql/reading-context.ts";
import { rowsAt } from "../sql/rows-at.ts";
import type { Tables } from "../sql/tables.ts";
import { openKyselyPool } from "./primary-pool.ts";
import { PrimaryServer } from "./primary-server.ts";

/** Connections of one reader, as count. */
const MAX_CONNECTIONS = 2;

/** Opens the logs of a PostgreSQL store for reading alone, beside the processes that write them. */
export function openPostgresAuditReader(url: string): AuditReader {
  const pool = openKyselyPool(new PrimaryServer(url), { max: MAX_CONNECTIONS });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const audit = {
    ...createAuditStore(readingContext(db, "postgres")),
    rowsAt: (positions: readonly RowPosition[]) => rowsAt(db, positions),
  };
  return { audit, close: () => db.destroy() };
}
