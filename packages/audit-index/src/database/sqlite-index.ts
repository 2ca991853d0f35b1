import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
  DamagedIndexError,
  type IndexDatabase,
  type Row,
  UnreadyIndexError,
  type Value,
  type WritableIndexDatabase,
} from "./index-database.ts";
import { INDEX_VERSION, SQLITE_WORDING, schemaStatements, type Table } from "./index-tables.ts";

const UNREADY = "the audit index is being made; ask again in a moment";

const INDEX_FILE = "audit-index.db";

/** Milliseconds to wait for a lock of the other connection. */
const BUSY_TIMEOUT_MS = 2_000;

/** KiB of pages kept in memory by each connection. */
const CACHE_KIB = 32 * 1024;

/** Pages in the write-ahead log before they move into the file: 32 MiB, which is a few batches. */
const CHECKPOINT_PAGES = 8_000;

/** Prepared statements kept by a connection, as count. Lists with many filters make many texts. */
const MAX_STATEMENTS = 200;

/** SQLite's codes for a file that is damaged, and for one that is not a database. */
const DAMAGE_CODES = [11, 26];

export function indexPath(dataDir: string): string {
  return join(dataDir, INDEX_FILE);
}

/** Runs statements of one connection. A damaged file is reported as such. */
class Connection implements IndexDatabase {
  readonly position = "instr";
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  all(text: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    return Promise.resolve(this.allNow(text, values));
  }

  allNow(text: string, values: readonly Value[]): readonly Row[] {
    return reportDamage(() => this.statement(text).all(...values) as Row[]);
  }

  statement(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.#connection.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

/**
 * Opens the index for questions.
 * @throws DamagedIndexError when it is damaged or of another version, UnreadyIndexError when it is not there
 */
export function openSqliteIndex(dataDir: string): IndexDatabase & { close(): void } {
  if (!existsSync(indexPath(dataDir))) throw new UnreadyIndexError(UNREADY);
  return reportDamage(() => {
    const connection = new DatabaseSync(indexPath(dataDir), { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      connection.exec(`PRAGMA cache_size = -${String(CACHE_KIB)}`);
      if (versionOf(connection) === 0) throw new UnreadyIndexError(UNREADY);
      requireVersion(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
    const opened = new Connection(connection);
    return {
      position: opened.position,
      all: async (text, values) => opened.all(text, values),
      close: () => connection.close(),
    };
  });
}

/**
 * Opens the index for its projector. A file that is damaged, of another version or not a database is removed
 * and made anew, because everything in it is derived.
 */
export function openWritableSqliteIndex(dataDir: string): WritableIndexDatabase {
  try {
    return openWritable(dataDir);
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error;
    removeSqliteIndex(dataDir);
    return openWritable(dataDir);
  }
}

export function removeSqliteIndex(dataDir: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${indexPath(dataDir)}${suffix}`, { force: true });
}

function openWritable(dataDir: string): WritableIndexDatabase {
  const connection = reportDamage(() => connect(indexPath(dataDir)));
  const opened = new Connection(connection);
  const run = (text: string): void => reportDamage(() => connection.exec(text));
  return {
    position: opened.position,
    all: async (text, values) => opened.all(text, values),
    insert: async (table, rows, onConflict) => {
      const statement = opened.statement(insertText(table, onConflict));
      await Promise.resolve(reportDamage(() => rows.forEach((row) => statement.run(...row))));
    },
    transaction: async (work) => {
      run("BEGIN IMMEDIATE");
      try {
        await work();
        run("COMMIT");
      } catch (error) {
        // SQLite has rolled back by itself after some errors.
        if (connection.isTransaction) connection.exec("ROLLBACK");
        throw error;
      }
    },
    scrub: async () => {
      run("PRAGMA busy_timeout = 0");
      run("PRAGMA wal_checkpoint(TRUNCATE)");
      run(`PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
      return Promise.resolve();
    },
    reset: async () => Promise.resolve(reportDamage(() => makeTables(connection))),
    close: async () => Promise.resolve(connection.close()),
  };
}

function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    connection.exec("PRAGMA journal_mode = WAL");
    // The index is derived: after a loss of power it may lack its last rows, which are then indexed again.
    connection.exec("PRAGMA synchronous = NORMAL");
    // Reasons of removed rows are overwritten, and not only unlinked.
    connection.exec("PRAGMA secure_delete = ON");
    connection.exec(`PRAGMA cache_size = -${String(CACHE_KIB)}`);
    connection.exec(`PRAGMA wal_autocheckpoint = ${String(CHECKPOINT_PAGES)}`);
    if (versionOf(connection) === 0) makeTables(connection);
    requireVersion(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function makeTables(connection: DatabaseSync): void {
  connection.exec("BEGIN IMMEDIATE");
  for (const statement of schemaStatements(SQLITE_WORDING)) connection.exec(statement);
  connection.exec(`PRAGMA user_version = ${String(INDEX_VERSION)}`);
  connection.exec("COMMIT");
}

/** 0 for a file that holds no index yet. */
function versionOf(connection: DatabaseSync): unknown {
  return connection.prepare("PRAGMA user_version").get()?.["user_version"];
}

function requireVersion(connection: DatabaseSync): void {
  const version = versionOf(connection);
  if (version === INDEX_VERSION) return;
  const found = String(version);
  throw new DamagedIndexError(`the audit index has version ${found}, expected ${String(INDEX_VERSION)}`);
}

function insertText({ name, columns }: Table, onConflict: string): string {
  const values = columns.map((_, index) => `?${String(index + 1)}`).join(", ");
  return `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${values}) ${onConflict}`;
}

/** @throws DamagedIndexError in place of SQLite's errors about the file and about tables that are gone. */
function reportDamage<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof DamagedIndexError || error instanceof UnreadyIndexError)
      throw error;
    const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
    const isDamage = DAMAGE_CODES.includes(code) || /^no such (table|column)/.test(error.message);
    throw isDamage ? new DamagedIndexError(`the audit index is damaged: ${error.message}`) : error;
  }
}
