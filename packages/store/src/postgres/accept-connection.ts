import type { Client } from "pg";
import { ANSWER_DEADLINE_MS } from "./connection-config.ts";
import { hostName } from "./database-hosts.ts";
import { NoPrimaryError } from "./database-outage.ts";
import { withDeadline } from "./with-deadline.ts";

/** In one round trip: each new connection waits for it. */
const ASK = `
  SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only,
    pg_backend_pid() AS pid,
    CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
      THEN set_config('synchronous_commit', 'on', false) END AS raised`;

interface Found {
  readonly is_read_only: boolean;
  readonly pid: number;
}

/**
 * Accepts a new connection that may write. Its commits are on disk when they return, whatever the defaults of
 * the database and of the role are: a kill switch that was acknowledged must outlive a crash.
 * @throws NoPrimaryError for a standby, which would serve old data and refuse every row
 * @throws for a pooler, which may give each transaction another session
 */
export async function acceptConnection(client: Pick<Client, "query">, url: string): Promise<void> {
  const asked = client.query<Found>(ASK);
  const { rows } = await withDeadline(asked, ANSWER_DEADLINE_MS, "asking whether the server takes writes");
  const [found] = rows;
  if (found === undefined || found.is_read_only)
    throw new NoPrimaryError(
      `${hostName(url)} is read-only: expected the primary, found a standby or a user whose ` +
        "default_transaction_read_only is on. Name the primary, or list every host with commas",
    );
  // A server names the process of the session when it accepts it. A pooler makes a number up.
  if (!("processID" in client) || client.processID !== found.pid)
    throw new Error(
      `${hostName(url)} is a pooler such as PgBouncer: expected PostgreSQL itself. Locks, limits and ` +
        "notifications belong to a session, and a pooler may share it. Name the host of PostgreSQL",
    );
}
