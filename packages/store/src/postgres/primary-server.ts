import { Client } from "pg";
import { ANSWER_DEADLINE_MS, connectionConfig } from "./connection-config.ts";
import { databaseHosts, hostName } from "./database-hosts.ts";
import { isDatabaseOutage, NoPrimaryError } from "./database-outage.ts";
import { endClient } from "./end-client.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { withDeadline } from "./with-deadline.ts";

/**
 * The server that takes writes, among the hosts of an address. After a failover it is another host. A caller
 * that meets a host that is away or read-only goes on to the next one. The next caller begins with the host
 * that was found.
 */
export class PrimaryServer {
  readonly #urls: readonly [string, ...string[]];
  #at = 0;

  constructor(url: string) {
    this.#urls = databaseHosts(url);
  }

  /** The address of the host that is tried next. */
  get url(): string {
    return this.#urls[this.#at] ?? this.#urls[0];
  }

  /**
   * Tries each host once until one works. @throws the first error that only an operator can mend, such as a
   * certificate that is not trusted; else NoPrimaryError, because none takes writes now.
   */
  async find<Found>(attempt: (url: string) => Promise<Found>): Promise<Found> {
    const faults: Error[] = [];
    for (const _ of this.#urls) {
      const { url } = this;
      try {
        return await attempt(url);
      } catch (error) {
        const fault = explainRefusal(error, url);
        faults.push(fault instanceof Error ? fault : new Error(String(fault)));
        this.leave(url);
      }
    }
    const refusal = faults.find((fault) => !isDatabaseOutage(fault));
    if (refusal !== undefined) throw refusal;
    const what = faults.map(({ message }) => message).join("; ");
    throw new NoPrimaryError(`no host takes writes now: ${what}`, { cause: faults[0] });
  }

  /** A new connection to it. An error event of the connection is ignored; its next query fails. */
  async connect(): Promise<Client> {
    return this.find(async (url) => {
      const client = new Client(connectionConfig(url));
      client.on("error", () => undefined);
      try {
        await client.connect();
        await requireWritable(client, url);
        return client;
      } catch (error) {
        await endClient(client);
        throw error;
      }
    });
  }

  /** Goes on to the next host, unless another caller has done so. */
  leave(url: string): void {
    if (this.url === url) this.#at = (this.#at + 1) % this.#urls.length;
  }
}

/** @throws NoPrimaryError for a standby, which would serve old data and refuse every row. */
export async function requireWritable(client: Pick<Client, "query">, url: string): Promise<void> {
  const asked = client.query<{ refused: boolean }>(
    "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS refused",
  );
  const { rows } = await withDeadline(asked, ANSWER_DEADLINE_MS, "asking whether the server takes writes");
  if (rows[0]?.refused === false) return;
  throw new NoPrimaryError(
    `${hostName(url)} is read-only: expected the primary, found a standby or a user whose ` +
      "default_transaction_read_only is on. Name the primary, or list every host with commas",
  );
}
