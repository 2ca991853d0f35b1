import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readSnapshotPages, type SnapshotPage } from "../sql/snapshot-pages.ts";
import { type FileIdentity, requireSameFiles } from "./file-identity.ts";
import { kyselyOver } from "./kysely-database.ts";
import { BUSY_TIMEOUT_MS, DATABASE_FILE } from "./open-database.ts";

export interface SnapshotSettings {
  readonly dataDir: string;
}

interface Reading {
  readonly connection: DatabaseSync;
  readonly files: readonly FileIdentity[];
  readonly pages: AsyncGenerator<SnapshotPage>;
}

/**
 * Reads one snapshot of control state over a connection that cannot write. All pages are of one read
 * transaction, so they are of the moment of `begin`, while the writer goes on.
 */
export class SnapshotReader {
  readonly #path: string;
  #reading: Reading | null = null;

  constructor({ dataDir }: SnapshotSettings) {
    this.#path = join(dataDir, DATABASE_FILE);
  }

  /** @param files those that the writer writes to. @returns the revision of the snapshot */
  async begin(files: readonly FileIdentity[]): Promise<number> {
    requireSameFiles(files);
    const connection = new DatabaseSync(this.#path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const db = kyselyOver(connection);
    this.#reading = { connection, files, pages: readSnapshotPages(db, "sqlite") };
    connection.exec("BEGIN");
    const head = await db.selectFrom("control_head").select("revision").executeTakeFirstOrThrow();
    return head.revision;
  }

  /** @returns the next page; null after the last one, and only then the pages count */
  async page(): Promise<SnapshotPage | null> {
    if (this.#reading === null) throw new Error("no snapshot is being read");
    const { connection, files, pages } = this.#reading;
    const next = await pages.next();
    if (next.done !== true) return next.value;
    this.#reading = null;
    connection.close();
    requireSameFiles(files);
    return null;
  }

  /** Gives up what is still being read. */
  async end(): Promise<void> {
    this.#reading?.connection.close();
    this.#reading = null;
  }
}
