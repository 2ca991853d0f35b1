import type { PostgresPool, PostgresPoolClient } from "kysely";
import { DatabaseError, type Pool, type PoolClient } from "pg";
import { preparedName } from "../sql/prepared.ts";
import { ANSWER_DEADLINE_MS } from "./connection-config.ts";
import { withDeadline } from "./with-deadline.ts";

export interface DeadlinePoolOptions {
  readonly connect?: () => Promise<PoolClient>;
  readonly deadlineMs?: number | undefined;
  /** Called with the fault of each statement, before the caller gets it. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/**
 * A pool for kysely whose queries reject when the server hangs. A connection that did not answer is closed,
 * because its unfinished work must not end up in the next user's transaction.
 */
export function deadlinePool(
  pool: Pool,
  {
    connect = () => pool.connect(),
    deadlineMs = ANSWER_DEADLINE_MS,
    onFault = () => undefined,
  }: DeadlinePoolOptions = {},
): PostgresPool {
  // A connection that dies while idle is dropped by the pool; the next query opens another or says why it
  // cannot.
  pool.on("error", () => undefined);
  // A connection that dies between two queries of a transaction emits an error, and an error without a
  // listener ends the process. The next query of the transaction fails.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    options: pool.options,
    connect: async () => guardedClient(await connect(), deadlineMs, onFault),
    end: async () => withDeadline(pool.end(), ANSWER_DEADLINE_MS, "closing connections"),
  };
}

function guardedClient(
  client: PoolClient,
  deadlineMs: number,
  onFault: (error: unknown) => void,
): PostgresPoolClient {
  let broken: Error | null = null;
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (broken !== null) throw broken;
    try {
      const name = preparedName(text);
      const statement = { text, values: [...parameters], ...(name === null ? {} : { name }) };
      return await withDeadline(client.query(statement), deadlineMs, "query");
    } catch (error) {
      onFault(error);
      // A DatabaseError is an answer. Any other error leaves the connection in an unknown state.
      if (!(error instanceof DatabaseError))
        broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  };
  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy === true || broken !== null),
  };
}
