import { ControlHeadGuard } from "../control-head-guard.ts";
import { type AcknowledgedHead, ForeignHeadError } from "../head-guard.ts";
import { ControlQueue } from "../sql/control-queue.ts";
import { createSqlStores, type SqlStores } from "../sql/sql-stores.ts";
import type { StoreContext } from "../sql/store-context.ts";
import { callStore } from "../threads/call-store.ts";
import { BatchCommitter } from "./commit-batch.ts";
import { DirectoryLock } from "./directory-lock.ts";
import { type FileIdentity, requireSameFiles } from "./file-identity.ts";
import { entriesOf } from "./flat-batch.ts";
import { type OpenDatabase, openDatabase } from "./open-database.ts";
import type { WriterDone, WriterJob, WriterSettings } from "./writer-protocol.ts";

/** The connection and files that are open until the next fault. */
interface Session extends OpenDatabase {
  readonly committer: BatchCommitter;
  readonly stores: SqlStores;
}

/**
 * Runs jobs on the embedded database, one after another; callers wait for one before they hand over the next.
 *
 * After any error everything is rolled back and closed, and the next job opens the files anew. When
 * the outcome of a commit is unknown, that read of the database settles it. The directory lock
 * outlives such faults.
 */
export class Writer {
  readonly #settings: WriterSettings;
  #acknowledged: AcknowledgedHead | null;
  #lock: DirectoryLock | null = null;
  #session: Session | null = null;
  #namedFiles: readonly FileIdentity[] | null = null;
  /**
   * Set when another program wrote to the database. Until the head is back where it was, no row there counts
   * as a commit of this process.
   */
  #foreignHead = false;

  constructor(settings: WriterSettings) {
    this.#settings = settings;
    this.#acknowledged = settings.acknowledged;
  }

  /** Resolves when what the job wrote is durable in the files at their paths. */
  async run(job: WriterJob): Promise<WriterDone> {
    if (job.kind === "close") {
      this.#close();
      return { value: null, head: this.#acknowledged, files: null };
    }
    try {
      const session = await this.#open();
      // A batch looks just before its COMMIT, when the look is worth more.
      if (job.kind !== "commit") requireSameFiles(session.files);
      const value = await runJob(session, job);
      // What is acknowledged is in the files at their paths, and no other process has the directory.
      this.#lock?.verify();
      requireSameFiles(session.files);
      this.#acknowledged = session.head.acknowledged;
      return { value, head: this.#acknowledged, files: this.#newFiles(session) };
    } catch (error) {
      this.#foreignHead ||= error instanceof ForeignHeadError;
      throw this.#discardSession(error);
    }
  }

  #newFiles({ files }: Session): readonly FileIdentity[] | null {
    if (files === this.#namedFiles) return null;
    this.#namedFiles = files;
    return files;
  }

  async #open(): Promise<Session> {
    this.#ensureLock();
    this.#session ??= await this.#startSession();
    return this.#session;
  }

  #ensureLock(): void {
    if (this.#lock !== null) {
      if (isIntact(this.#lock)) return;
      this.#lock.release();
      this.#lock = null;
    }
    this.#lock = new DirectoryLock(this.#settings.dataDir);
  }

  async #startSession(): Promise<Session> {
    const { dataDir, logId, limits } = this.#settings;
    const opened = await openDatabase({
      dataDir,
      logId,
      acknowledged: this.#acknowledged,
      growth: this.#foreignHead ? "refused" : "allowed",
    });
    this.#foreignHead = false;
    const { connection, db, epoch, head } = opened;
    const context: StoreContext = {
      db,
      dialect: "sqlite",
      logId,
      limits,
      nowMs: Date.now,
      epoch: () => Promise.resolve(epoch),
      head,
      // A later session must find the acknowledged head of the log, which covers each change.
      controlHead: new ControlHeadGuard(),
      controlQueue: new ControlQueue(),
    };
    return {
      ...opened,
      stores: createSqlStores(context),
      committer: new BatchCommitter({
        connection,
        logId,
        epoch,
        head,
        // Another process that had taken the directory over would have raised the epoch in this database.
        beforeCommit: () => requireSameFiles(opened.files),
      }),
    };
  }

  /** Closes the session, which rolls back an open transaction. @returns the error to throw */
  #discardSession(fault: unknown): unknown {
    const session = this.#session;
    this.#session = null;
    try {
      session?.connection.close();
      return fault;
    } catch (error) {
      return new AggregateError(
        [fault, error],
        `${describe(fault)}; then closing failed: ${describe(error)}`,
      );
    }
  }

  #close(): void {
    this.#session?.connection.close();
    this.#session = null;
    this.#lock?.release();
    this.#lock = null;
  }
}

async function runJob(session: Session, job: Exclude<WriterJob, { kind: "close" }>): Promise<unknown> {
  switch (job.kind) {
    case "open":
      return null;
    case "commit":
      return session.committer.commit(entriesOf(job.batch));
    case "call":
      return callStore(session.stores, job);
    default:
      throw new Error(`unknown job ${JSON.stringify(job satisfies never)}`);
  }
}

function isIntact(lock: DirectoryLock): boolean {
  try {
    lock.verify();
    return true;
  } catch {
    // Whatever the reason, the answer is to take the lock anew, which fails loudly when that is not possible.
    return false;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
