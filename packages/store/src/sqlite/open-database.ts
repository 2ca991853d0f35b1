import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Kysely } from "kysely";
import { migrate } from "../sql/migrate.ts";
import type { Tables } from "../sql/tables.ts";
import { type FileIdentity, identifyFile } from "./file-identity.ts";
import { kyselyOver } from "./kysely-database.ts";
import type { AcknowledgedHead } from "./writer-protocol.ts";

const DATABASE_FILE = "svc.db";

/** Milliseconds to wait for somebody else's lock (a backup, say); longer would hold up every call. */
const BUSY_TIMEOUT_MS = 250;

/** SQLite's number for synchronous = FULL. */
const SYNCHRONOUS_FULL = 2;

export interface OpenDatabase {
  readonly connection: DatabaseSync;
  readonly db: Kysely<Tables>;
  /** Database and write-ahead log, as they stood when opened. */
  readonly files: readonly FileIdentity[];
  readonly epoch: number;
}

export interface OpenDatabaseOptions {
  readonly dataDir: string;
  readonly logId: string;
  /** What the database must hold; null: it may be new. */
  readonly acknowledged: AcknowledgedHead | null;
}

/**
 * Opens the database and takes its log over. A new one is created only when nothing was ever acknowledged
 * from it.
 * @throws when it cannot be opened or written, or lacks acknowledged rows.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const path = join(options.dataDir, DATABASE_FILE);
  const connection = connect(path, options.acknowledged === null ? "rwc" : "rw");
  try {
    const db = kyselyOver(connection);
    if (options.acknowledged === null) await prepare(db, options);
    else requireAcknowledgedRow(connection, options.logId, options.acknowledged);
    const epoch = takeOver(connection, options.logId);
    return { connection, db, epoch, files: [identifyFile(path), identifyFile(`${path}-wal`)] };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function connect(path: string, mode: "rw" | "rwc"): DatabaseSync {
  if (mode === "rw" && !existsSync(path)) throw new Error(`${path}: the database is gone`);
  const url = pathToFileURL(path);
  url.searchParams.set("mode", mode);
  const connection = new DatabaseSync(url);
  connection.exec(`PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
  connection.exec("PRAGMA journal_mode = WAL");
  // FULL: a commit returns after the write-ahead log has reached the disk.
  connection.exec("PRAGMA synchronous = FULL");
  connection.exec("PRAGMA foreign_keys = ON");
  requireDurability(connection, path);
  return connection;
}

/** SQLite answers a setting that it could not make with the old one and no error. */
function requireDurability(connection: DatabaseSync, path: string): void {
  const { journal_mode: journal } = connection.prepare("PRAGMA journal_mode").get() ?? {};
  const { synchronous } = connection.prepare("PRAGMA synchronous").get() ?? {};
  if (journal === "wal" && synchronous === SYNCHRONOUS_FULL) return;
  connection.close();
  throw new Error(
    `${path}: expected journal_mode wal and synchronous ${String(SYNCHRONOUS_FULL)}, ` +
      `got ${String(journal)} and ${String(synchronous)}; the file system may not support them`,
  );
}

async function prepare(db: Kysely<Tables>, { dataDir, logId }: OpenDatabaseOptions): Promise<void> {
  await migrate({ db, dialect: "sqlite", logId });
  // The names of new files must survive a loss of power too.
  const directory = openSync(dataDir, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** An older copy, a fresh file or another log would silently fork history. */
function requireAcknowledgedRow(connection: DatabaseSync, logId: string, head: AcknowledgedHead): void {
  if (head.size === 0) return;
  const seq = head.size - 1;
  const found = connection
    .prepare("SELECT hash FROM audit_rows WHERE log_id = ? AND seq = ?")
    .get(logId, seq)?.["hash"];
  if (!(found instanceof Uint8Array) || Buffer.compare(found, head.hash) !== 0) {
    throw new Error(
      `${connection.location() ?? ""}: lacks the acknowledged row ${logId}.${String(seq)}; ` +
        "another database was put in its place",
    );
  }
}

function takeOver(connection: DatabaseSync, logId: string): number {
  // Not `get`: it stops at the first row, and a commit that fails after it (a full disk, say) goes unnoticed.
  const [row] = connection
    .prepare("UPDATE audit_logs SET epoch = epoch + 1 WHERE log_id = ? RETURNING epoch")
    .all(logId);
  if (typeof row?.["epoch"] !== "number") throw new Error(`audit log ${logId}: its head is missing`);
  return row["epoch"];
}
