import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type FileIdentity, identifyFile, requireSameFiles } from "./file-identity.ts";

const LOCK_FILE = "svc.lock";

/** SQLite's code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

/**
 * Exclusive ownership of a data directory: an empty SQLite file held in an exclusive transaction. The
 * operating system drops the lock with the process, however that ends, so there is nothing stale to clean up.
 */
export class DirectoryLock {
  readonly #connection: DatabaseSync;
  readonly #identity: FileIdentity;

  /** @throws when another process, or another store of this one, owns the directory. */
  constructor(dataDir: string) {
    const path = join(dataDir, LOCK_FILE);
    this.#connection = new DatabaseSync(path);
    try {
      this.#connection.exec("BEGIN EXCLUSIVE");
      this.#identity = identifyFile(path);
    } catch (error) {
      this.#connection.close();
      if (!isBusy(error)) throw error;
      throw new Error(
        `data directory ${dataDir}: in use by another process; stop that one or choose another directory`,
        { cause: error },
      );
    }
  }

  /**
   * @throws when the lock file was removed or replaced: another process could then hold a lock of its own.
   */
  verify(): void {
    requireSameFiles([this.#identity]);
  }

  release(): void {
    this.#connection.close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
