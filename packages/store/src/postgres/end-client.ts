import type { Client } from "pg";
import { ANSWER_DEADLINE_MS } from "./connection-config.ts";
import { withDeadline } from "./with-deadline.ts";

/**
 * Ends a connection. One that does not answer is left to the timers of the server, and does not keep this
 * process from ending.
 */
export async function endClient(client: Client, deadlineMs: number = ANSWER_DEADLINE_MS): Promise<void> {
  // The driver waits for the server to close the connection. Its types do not know this method.
  (client as Client & { unref(): void }).unref();
  // Nothing more can be done about a failure, and nothing depends on it: locks end with the server's session.
  await withDeadline(client.end(), deadlineMs, "closing the connection").catch(() => undefined);
}

/**
 * Ends a connection whose statements may still be under way, without waiting for their answers. The server
 * rolls back what is open when it notices.
 */
export async function breakClient(client: Client): Promise<void> {
  const ended = endClient(client);
  // Until its statements are answered, the driver would keep a pipelined connection open.
  client.connection.stream.destroy();
  await ended;
}
