import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { outcomesOf } from "../committed-batch.ts";
import { HeadGuard } from "../head-guard.ts";
import type { Ledger } from "../ports/ledger.ts";
import { migrate } from "../sql/migrate.ts";
import { createSqlStores, type SqlStores } from "../sql/sql-stores.ts";
import { BatchCommitter } from "../sqlite/commit-batch.ts";
import { kyselyOver } from "../sqlite/kysely-database.ts";

const LOG_ID = "log";

/** The schema and the first rows of an empty store: made once, and copied for each test. */
const template = new DatabaseSync(":memory:");
await migrate({ db: kyselyOver(template), dialect: "sqlite", logId: LOG_ID });

export interface MemoryStores extends Omit<SqlStores, "settlements">, Pick<Ledger, "commit"> {
  readonly logId: string;
  /** For what a test reads or changes behind the stores' back. */
  readonly connection: DatabaseSync;
  /** A test may lower them. */
  readonly limits: { activeKillSwitches: number; policies: number };
}

/**
 * The stores of the embedded database, in memory and on the calling thread: the statements of the product,
 * and nothing that waits for a disk or for another thread. Calls must not overlap: a connection has one
 * transaction.
 */
export function openMemoryStores(): MemoryStores {
  const connection = copyOfTemplate();
  const limits = { activeKillSwitches: 1_000, policies: 1_000 };
  const head = new HeadGuard({ logId: LOG_ID, growth: "refused", acknowledged: null });
  const { settlements: _settlements, ...stores } = createSqlStores({
    db: kyselyOver(connection),
    dialect: "sqlite",
    logId: LOG_ID,
    limits,
    epoch: () => Promise.resolve(0),
    head,
  });
  const beforeCommit = (): void => undefined;
  const committer = new BatchCommitter({ connection, logId: LOG_ID, epoch: 0, head, beforeCommit });
  const commit: Ledger["commit"] = (entries) =>
    Promise.resolve(outcomesOf(LOG_ID, entries, committer.commit(entries)));
  return { ...stores, commit, logId: LOG_ID, connection, limits };
}

function copyOfTemplate(): DatabaseSync {
  const copy = new DatabaseSync(":memory:");
  const objects = template.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").all();
  for (const { sql } of objects) copy.exec(String(sql));
  for (const { type, name } of objects) {
    if (type === "table") copyRows(copy, String(name));
  }
  return copy;
}

function copyRows(copy: DatabaseSync, table: string): void {
  for (const row of template.prepare(`SELECT * FROM ${table}`).all()) {
    const values = Object.values(row) as SQLInputValue[];
    const marks = values.map(() => "?").join(", ");
    copy.prepare(`INSERT INTO ${table} VALUES (${marks})`).run(...values);
  }
}
