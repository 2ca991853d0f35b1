import type { Kysely, Transaction } from "kysely";
import type { ControlHeadGuard } from "../control-head-guard.ts";
import type { AcknowledgedHead, HeadGuard } from "../head-guard.ts";
import type { ControlQueue } from "./control-queue.ts";
import type { Tables } from "./tables.ts";

export type Dialect = "sqlite" | "postgres";

/** The parts that all store operations share: one database and one writer's log. */
export interface StoreContext {
  readonly db: Kysely<Tables>;
  readonly dialect: Dialect;
  readonly logId: string;
  readonly limits: StoreLimits;
  /** Unix milliseconds by the clock of this process. PostgreSQL has its own clock, which counts there. */
  readonly nowMs: () => number;
  /** The epoch under which this writer holds its log. @throws while it does not hold it. */
  epoch(): Promise<number>;
  /** The guard that every append of this process compares the head with. */
  readonly head: HeadGuard;
  /** The guard that every read and every change of control state is compared with. */
  readonly controlHead: ControlHeadGuard;
  /** Whose change of control state is next in this process. */
  readonly controlQueue: ControlQueue;
}

/** Most entities of one organization, of one principal or of one entity, as counts. */
export interface StoreLimits {
  readonly activeKillSwitches: number;
  /** Active switches of any origin beyond which rogue detection activates none. */
  readonly killSwitchesWithDetection: number;
  readonly policies: number;
  /** Those that are not removed. */
  readonly guardrails: number;
  /** Policies that are not archived and use one guardrail. */
  readonly policiesOfGuardrail: number;
  readonly namespaces: number;
  /** Those that are registered. */
  readonly agents: number;
  readonly requestKeys: number;
  readonly workflows: number;
  /** Those that are not revoked. */
  readonly keys: number;
  /** Keys that one trust rule has given and that have not ended. */
  readonly keysOfTrustRule: number;
  /** The same of all trust rules of an organization. */
  readonly exchangedKeys: number;
  /** Secrets of one key that work at once. */
  readonly keySecrets: number;
  readonly replays: number;
  /** Those that are queued or running. */
  readonly activeReplays: number;
  /** Those whose supervision has not ended. */
  readonly supervisedSessions: number;
  /** The same of one agent. */
  readonly supervisedSessionsOfAgent: number;
}

/** A context inside a transaction. */
export interface TransactionContext {
  readonly trx: Transaction<Tables>;
  readonly dialect: Dialect;
  readonly logId: string;
  readonly limits: StoreLimits;
  readonly nowMs: () => number;
  readonly epoch: number;
  readonly head: Pick<HeadGuard, "require" | "requireRow">;
  /** Notes where the log will end. The end is acknowledged when the transaction has committed. */
  noteHead(head: AcknowledgedHead): void;
}

/**
 * The same as `inTransaction`, in the turn of an organization. For everything that appends audit rows at a
 * person's request: the rows of a process are appended one transaction at a time, and each one that waits for
 * that holds a connection.
 */
export async function inTurn<Result>(
  context: StoreContext,
  lane: string,
  work: (inside: TransactionContext) => Promise<Result>,
): Promise<Result> {
  return context.controlQueue.run(lane, async () => inTransaction(context, work));
}

/** Runs `work` in one transaction of the writer: all or nothing. */
export async function inTransaction<Result>(
  context: StoreContext,
  work: (inside: TransactionContext) => Promise<Result>,
): Promise<Result> {
  const { db, dialect, logId, limits, nowMs, head } = context;
  const epoch = await context.epoch();
  const moves: AcknowledgedHead[] = [];
  const noteHead = (to: AcknowledgedHead): void => {
    head.expect(to);
    moves.push(to);
  };
  const result = await db
    .transaction()
    .execute(async (trx) => work({ trx, dialect, logId, limits, nowMs, epoch, head, noteHead }));
  for (const move of moves) head.acknowledge(move);
  return result;
}
