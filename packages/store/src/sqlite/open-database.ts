import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Kysely } from "kysely";
import { type AcknowledgedHead, HeadGuard, requireHead } from "../head-guard.ts";
import { migrate } from "../sql/migrate.ts";
import type { Tables } from "../sql/tables.ts";
import { type FileIdentity, identifyFile } from "./file-identity.ts";
import { kyselyOver } from "./kysely-database.ts";

export const DATABASE_FILE = "svc.db";

/**
 * Milliseconds to wait for a lock of another process, such as a backup. A longer wait would delay every call.
 */
export const BUSY_TIMEOUT_MS = 250;

/** SQLite's number for synchronous = FULL. */
const SYNCHRONOUS_FULL = 2;

export interface OpenDatabase {
  readonly connection: DatabaseSync;
  readonly db: Kysely<Tables>;
  /** Database and write-ahead log, as they stood when opened. */
  readonly files: readonly FileIdentity[];
  readonly epoch: number;
  /** Starts at the head that was found; from here on this connection alone writes. */
  readonly head: HeadGuard;
}

export interface OpenDatabaseOptions {
  readonly dataDir: string;
  readonly logId: string;
  /** What the database must hold; null: it may be new. */
  readonly acknowledged: AcknowledgedHead | null;
  /** `allowed` after a fault that left open whether a commit took place. */
  readonly growth: "allowed" | "refused";
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
    const { epoch, head } = takeOver(connection, options);
    return { connection, db, epoch, head, files: [identifyFile(path), identifyFile(`${path}-wal`)] };
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
  // What retention removes is overwritten, and not only unlinked.
  connection.exec("PRAGMA secure_delete = ON");
  requireDurability(connection, path);
  return connection;
}

/** When SQLite cannot change a setting, it returns the old value and no error. */
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

/** Reads the head and raises its epoch in one transaction; after a throw, closing rolls it back. */
export function takeOver(
  connection: DatabaseSync,
  { logId, acknowledged, growth }: Omit<OpenDatabaseOptions, "dataDir">,
): Pick<OpenDatabase, "epoch" | "head"> {
  connection.exec("BEGIN IMMEDIATE");
  const row = connection
    .prepare("SELECT size, head_hash AS hash, epoch FROM audit_logs WHERE log_id = ?")
    .get(logId);
  if (row === undefined) throw new Error(`audit log ${logId}: its head is missing`);
  const { size, hash, epoch } = row as unknown as AcknowledgedHead & { readonly epoch: number };
  if (acknowledged !== null) {
    requireAcknowledgedRow(connection, logId, acknowledged);
    requireHead({ logId, growth, acknowledged }, { size, hash });
  }
  connection.prepare("UPDATE audit_logs SET epoch = ? WHERE log_id = ?").run(epoch + 1, logId);
  connection.exec("COMMIT");
  return {
    epoch: epoch + 1,
    head: new HeadGuard({ logId, growth: "refused", acknowledged: { size, hash } }),
  };
}
