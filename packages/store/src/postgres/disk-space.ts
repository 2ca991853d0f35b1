import { type Kysely, sql } from "kysely";
import { DatabaseError } from "pg";
import type { Tables } from "../sql/tables.ts";

/** Rows of a trial, as count: 290 KB, which is more than the longest audit row. */
const TRIAL_ROWS = 8_192;

/** Classes of SQLSTATE: the server lacks a resource such as space, or its disk fails. */
const SERVER_FAULTS = ["53", "58"];

/**
 * Whether the server has room for rows. On a full disk it still takes what fits into pages that are there,
 * such as a new head of a log. So once a statement has failed for lack of a resource, only a trial that takes
 * new room shows that there is some again.
 */
export class DiskSpace {
  readonly #db: Kysely<Tables>;
  #isDoubted = false;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Call it with each fault of a statement. */
  note(error: unknown): void {
    if (error instanceof DatabaseError && SERVER_FAULTS.some((known) => error.code?.startsWith(known)))
      this.#isDoubted = true;
  }

  /** Costs nothing unless a statement has failed since the last trial. @throws when there is no room. */
  async require(): Promise<void> {
    if (!this.#isDoubted) return;
    await this.#take();
    this.#isDoubted = false;
  }

  /** The role owns its schema, so it may make a table. Its file is gone with the transaction. */
  async #take(): Promise<void> {
    const trial = await this.#db.startTransaction().execute();
    try {
      await sql`
        CREATE TABLE svc_storage_trial AS SELECT generate_series(1, ${sql.lit(TRIAL_ROWS)}) AS n
      `.execute(trial);
    } finally {
      await trial.rollback().execute();
    }
  }
}
