import { Client } from "pg";
import { acceptConnection } from "./accept-connection.ts";
import { connectionConfig } from "./connection-config.ts";
import { databaseHosts } from "./database-hosts.ts";
import { isDatabaseOutage, NoPrimaryError } from "./database-outage.ts";
import { endClient } from "./end-client.ts";
import { explainRefusal } from "./explain-refusal.ts";

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

  /**
   * A new connection to it. An error event of the connection is ignored; its next query fails.
   * @param pipeline whether a statement is sent before the one ahead of it has been answered
   */
  async connect({ pipeline }: { readonly pipeline: boolean } = { pipeline: false }): Promise<Client> {
    return this.find(async (url) => {
      const client = new Client({ ...connectionConfig(url), pipeline });
      client.on("error", () => undefined);
      try {
        await client.connect();
        await acceptConnection(client, url);
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
