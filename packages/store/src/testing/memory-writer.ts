import type { DatabaseSync } from "node:sqlite";
import { ControlHeadGuard } from "../control-head-guard.ts";
import type { AcknowledgedHead, HeadGuard } from "../head-guard.ts";
import { ControlQueue } from "../sql/control-queue.ts";
import { migrate } from "../sql/migrate.ts";
import { createSqlStores, type SqlStores } from "../sql/sql-stores.ts";
import type { StoreLimits } from "../sql/store-context.ts";
import { BatchCommitter } from "../sqlite/commit-batch.ts";
import { kyselyOver } from "../sqlite/kysely-database.ts";
import { takeOver } from "../sqlite/open-database.ts";

export type Job<Value> = (session: Session) => Value | Promise<Value>;

interface Session {
  readonly committer: BatchCommitter;
  readonly stores: SqlStores;
  readonly head: HeadGuard;
}

interface Settings {
  readonly logId: string;
  readonly limits: StoreLimits;
  readonly nowMs: () => number;
}

/** Runs jobs on a database in memory as the writer of the embedded store runs them on its files. */
export class MemoryWriter {
  readonly #connection: DatabaseSync;
  readonly #settings: Settings;
  #session: Session | null = null;
  #acknowledged: AcknowledgedHead | null = null;

  constructor(connection: DatabaseSync, settings: Settings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /** Callers wait for one job before they hand over the next. After any error the next job opens anew. */
  async run<Value>(job: Job<Value>): Promise<Value> {
    try {
      this.#session ??= await this.#start();
      const value = await job(this.#session);
      this.#acknowledged = this.#session.head.acknowledged;
      return value;
    } catch (error) {
      this.#session = null;
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  async #start(): Promise<Session> {
    const connection = this.#connection;
    const { logId, limits, nowMs } = this.#settings;
    const acknowledged = this.#acknowledged;
    const db = kyselyOver(connection);
    if (acknowledged === null) await migrate({ db, dialect: "sqlite", logId });
    const { epoch, head } = takeOver(connection, { logId, acknowledged, growth: "refused" });
    const beforeCommit = (): void => undefined;
    const controlHead = new ControlHeadGuard();
    const owned = { epoch: async () => epoch, head, controlHead, controlQueue: new ControlQueue() };
    return {
      stores: createSqlStores({ db, dialect: "sqlite", logId, limits, nowMs, ...owned }),
      committer: new BatchCommitter({ connection, logId, epoch, head, beforeCommit }),
      head,
    };
  }
}
