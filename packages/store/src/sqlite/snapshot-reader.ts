import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readSnapshotPages, type SnapshotPage } from "../sql/snapshot-pages.ts";
import { type FileIdentity, requireSameFiles } from "./file-identity.ts";
import { kyselyOver } from "./kysely-database.ts";
import { BUSY_TIMEOUT_MS, DATABASE_FILE } from "./open-database.ts";

export interface SnapshotSettings {
  readonly dataDir: string;
}

/** Jobs for a thread that reads a snapshot: `begin`, then `page` until there is none. */
export type SnapshotJob =
  /** With the files that the writer writes to. @returns the revision of the snapshot */
  | { readonly kind: "begin"; readonly files: readonly FileIdentity[] }
  /** @returns the next page; null behind the last one, and only then the pages count */
  | { readonly kind: "page" }
  /** Gives up what is still being read. */
  | { readonly kind: "end" };

interface Reading {
  readonly connection: DatabaseSync;
  readonly files: readonly FileIdentity[];
  readonly pages: AsyncGenerator<SnapshotPage>;
}

/**
 * Reads one snapshot of control state over a connection that cannot write. All pages are of one read
 * transaction, so they are of the moment of `begin`, and the writer commits meanwhile.
 */
export class SnapshotReader {
  readonly #path: string;
  #reading: Reading | null = null;

  constructor({ dataDir }: SnapshotSettings) {
    this.#path = join(dataDir, DATABASE_FILE);
  }

  async run(job: SnapshotJob): Promise<number | SnapshotPage | null> {
    switch (job.kind) {
      case "begin":
        return this.#begin(job.files);
      case "page":
        return this.#nextPage();
      case "end":
        this.#reading?.connection.close();
        this.#reading = null;
        return null;
      default:
        throw new Error(`unknown job ${JSON.stringify(job satisfies never)}`);
    }
  }

  async #begin(files: readonly FileIdentity[]): Promise<number> {
    requireSameFiles(files);
    const connection = new DatabaseSync(this.#path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    const db = kyselyOver(connection);
    this.#reading = { connection, files, pages: readSnapshotPages(db, "sqlite") };
    connection.exec("BEGIN");
    const head = await db.selectFrom("control_head").select("revision").executeTakeFirstOrThrow();
    return head.revision;
  }

  async #nextPage(): Promise<SnapshotPage | null> {
    if (this.#reading === null) throw new Error("no snapshot is being read");
    const { connection, files, pages } = this.#reading;
    const next = await pages.next();
    if (next.done !== true) return next.value;
    this.#reading = null;
    connection.close();
    requireSameFiles(files);
    return null;
  }
}
