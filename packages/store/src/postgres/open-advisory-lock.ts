import type { Client } from "pg";
import { lockKey } from "./advisory-lock.ts";
import { ANSWER_DEADLINE_MS } from "./connection-config.ts";
import { endClient } from "./end-client.ts";
import { PrimaryServer } from "./primary-server.ts";
import { withDeadline } from "./with-deadline.ts";

/** A connection that holds a lock of the database. The lock ends with it, and when it is silent. */
export interface HeldLock {
  readonly client: Client;
  close(): Promise<void>;
}

export interface LockName {
  readonly name: string;
  /**
   * Milliseconds after which the server ends a connection that asks nothing, and with it the lock of a
   * process that is paused or cut off.
   */
  readonly silentMs: number;
}

/** Takes the lock on a connection of its own; null while another process holds it. */
export async function openAdvisoryLock(url: string, { name, silentMs }: LockName): Promise<HeldLock | null> {
  const client = await new PrimaryServer(url).connect();
  const close = async (): Promise<void> => endClient(client);
  try {
    const taken = client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [
      lockKey(name),
    ]);
    const { rows } = await withDeadline(taken, ANSWER_DEADLINE_MS, "taking a lock");
    if (rows[0]?.taken === true) {
      const set = client.query(`SET idle_session_timeout = ${String(silentMs)}`);
      await withDeadline(set, ANSWER_DEADLINE_MS, "limiting the silence of a connection");
      return { client, close };
    }
  } catch (error) {
    await close();
    throw error;
  }
  await close();
  return null;
}
