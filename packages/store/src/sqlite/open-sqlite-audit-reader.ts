import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AuditReader } from "../ports/audit-store.ts";
import type { RowPosition } from "../ports/row-position.ts";
import { createAuditStore } from "../sql/audit-store.ts";
import { readingContext } from "../sql/reading-context.ts";
import { rowsAt } from "../sql/rows-at.ts";
import { kyselyOver } from "./kysely-database.ts";
import { BUSY_TIMEOUT_MS, DATABASE_FILE } from "./open-database.ts";

/**
 * Opens the logs of an embedded store for reading alone, beside the process or thread that writes them. Each
 * call is a transaction of its own. Close it before the store: the connection that closes last moves the
 * write-ahead log into the database, and only the writer's can.
 * @throws when there is no store in the directory
 */
export function openSqliteAuditReader(dataDir: string): AuditReader {
  const connection = new DatabaseSync(join(dataDir, DATABASE_FILE), {
    readOnly: true,
    timeout: BUSY_TIMEOUT_MS,
  });
  const db = kyselyOver(connection);
  const audit = {
    ...createAuditStore(readingContext(db, "sqlite")),
    rowsAt: (positions: readonly RowPosition[]) => rowsAt(db, positions),
  };
  return {
    audit,
    close: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}
