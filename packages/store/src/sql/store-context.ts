import type { Kysely, Transaction } from "kysely";
import type { Tables } from "./tables.ts";

export type Dialect = "sqlite" | "postgres";

/** What the operations below share: one database, one writer's log. */
export interface StoreContext {
  readonly db: Kysely<Tables>;
  readonly dialect: Dialect;
  readonly logId: string;
  readonly limits: StoreLimits;
  /** The epoch under which this writer holds its log. @throws while it does not hold it. */
  epoch(): Promise<number>;
}

/** Most entities of one organization, as counts. */
export interface StoreLimits {
  readonly activeKillSwitches: number;
  readonly policies: number;
}

/** A context inside a transaction. */
export interface TransactionContext {
  readonly trx: Transaction<Tables>;
  readonly dialect: Dialect;
  readonly logId: string;
  readonly limits: StoreLimits;
  readonly epoch: number;
}

/** Runs `work` in one transaction of the writer: all or nothing. */
export async function inTransaction<Result>(
  context: StoreContext,
  work: (inside: TransactionContext) => Promise<Result>,
): Promise<Result> {
  const { db, dialect, logId, limits } = context;
  const epoch = await context.epoch();
  return db.transaction().execute(async (trx) => work({ trx, dialect, logId, limits, epoch }));
}
