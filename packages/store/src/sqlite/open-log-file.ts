import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { LogReader } from "../ports/log-reader.ts";
import { createLogReader } from "../sql/create-log-reader.ts";
import { kyselyOver } from "./kysely-database.ts";
import { BUSY_TIMEOUT_MS, DATABASE_FILE } from "./open-database.ts";

/**
 * Opens the logs of a data directory without a change to any of its files, whether a server writes to it, has
 * ended, or was killed.
 * @throws when there is no database, or it cannot be read.
 */
export async function openLogFile(dataDir: string): Promise<LogReader> {
  const path = join(dataDir, DATABASE_FILE);
  if (!existsSync(path)) throw new Error(`${path}: no such file`);
  const hasWriteAheadLog = existsSync(`${path}-wal`);
  const connection = connect(path, hasWriteAheadLog);
  const before = fingerprint(path);
  const db = kyselyOver(connection);
  const close = async (): Promise<void> => {
    connection.close();
    // Without a write-ahead log SQLite reads without locks. A server that started meanwhile
    // may have moved rows.
    if (!hasWriteAheadLog && fingerprint(path) !== before)
      throw new Error(`${path}: a server started to write while the file was read; try again`);
    return Promise.resolve();
  };
  try {
    return await createLogReader({ db, dialect: "sqlite" }, close);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * With a write-ahead log, the file of shared memory is opened for reading too: SQLite then takes part in
 * the locks of a server that runs, and without a server rebuilds the index of the write-ahead log in memory
 * of its own.
 */
function connect(path: string, hasWriteAheadLog: boolean): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set("mode", "ro");
  if (hasWriteAheadLog) url.searchParams.set("readonly_shm", "1");
  else url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

function fingerprint(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true });
  return `${String(size)} ${String(mtimeNs)} ${String(existsSync(`${path}-wal`))}`;
}
