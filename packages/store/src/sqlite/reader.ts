import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readingContext } from "../sql/reading-context.ts";
import { createSqlStores, type SqlStores } from "../sql/sql-stores.ts";
import { callStore, type StoreCall } from "../threads/call-store.ts";
import { areSameFiles, type FileIdentity, requireSameFiles } from "./file-identity.ts";
import { kyselyOver } from "./kysely-database.ts";
import { BUSY_TIMEOUT_MS, DATABASE_FILE } from "./open-database.ts";

export interface ReaderSettings {
  readonly dataDir: string;
}

export interface ReaderJob extends StoreCall {
  /** The files that the writer writes to. The read is refused when others stand at their paths. */
  readonly files: readonly FileIdentity[];
}

interface Session {
  readonly connection: DatabaseSync;
  readonly stores: SqlStores;
  readonly files: readonly FileIdentity[];
}

/**
 * Reads the embedded database over a connection that cannot write. Each job is one read transaction, which
 * sees one moment, with everything that was committed before the job was handed over. The transaction ends
 * with the job: while none runs, SQLite can move the whole write-ahead log into the database and use its
 * space again.
 *
 * After any error the connection is closed, and the next job opens it anew.
 */
export class Reader {
  readonly #path: string;
  #session: Session | null = null;

  constructor({ dataDir }: ReaderSettings) {
    this.#path = join(dataDir, DATABASE_FILE);
  }

  async run(job: ReaderJob): Promise<unknown> {
    try {
      const { connection, stores, files } = this.#open(job.files);
      connection.exec("BEGIN");
      const value = await callStore(stores, job);
      connection.exec("COMMIT");
      requireSameFiles(files);
      return value;
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  #open(files: readonly FileIdentity[]): Session {
    if (this.#session !== null && !areSameFiles(this.#session.files, files)) this.#close();
    requireSameFiles(files);
    this.#session ??= openSession(this.#path, files);
    return this.#session;
  }

  #close(): void {
    const session = this.#session;
    this.#session = null;
    session?.connection.close();
  }
}

function openSession(path: string, files: readonly FileIdentity[]): Session {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  const stores = createSqlStores(readingContext(kyselyOver(connection), "sqlite"));
  return { connection, stores, files };
}
