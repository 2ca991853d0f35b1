import type { ClusterListener } from "../ports/cluster.ts";
import { dispatch } from "./cluster-channels.ts";
import { ANSWER_DEADLINE_MS } from "./connection-config.ts";
import { endClient } from "./end-client.ts";
import type { PrimaryServer } from "./primary-server.ts";
import { QueryQueue } from "./query-queue.ts";
import { ReconnectPause } from "./reconnect-pause.ts";
import { withDeadline } from "./with-deadline.ts";

/** Milliseconds between two attempts to listen, while nothing is asked of the connection. */
const RELISTEN_MS = 250;

export interface ClusterStatement {
  readonly text: string;
  readonly name?: string;
}

/**
 * The connection on which a process hears others and speaks to them. It is made anew when it was lost or does
 * not answer. What was said in between is not repeated. The listener is then told that control state may have
 * changed in the meantime.
 */
export class ClusterSession {
  readonly #server: PrimaryServer;
  readonly #pause = new ReconnectPause();
  #listener: ClusterListener | null = null;
  #channels: readonly string[] = [];
  #connection: QueryQueue | null = null;
  #connecting: Promise<QueryQueue> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(server: PrimaryServer) {
    this.#server = server;
  }

  listen(listener: ClusterListener, channels: readonly string[]): void {
    this.#listener = listener;
    this.#channels = channels;
    this.#timer ??= setInterval(() => {
      // A caller that asks something of the connection gets the fault.
      this.#connect().catch(() => undefined);
    }, RELISTEN_MS);
    // The connection may be older than the channels. One that is made later listens by itself.
    this.query({ text: listenText(channels) }, []).then(
      () => listener.onChange(null),
      () => undefined,
    );
  }

  /**
   * A statement with a name is parsed and planned once for each connection.
   * @throws when no answer comes in time. A new connection is then made.
   */
  async query<Row extends Record<string, unknown>>(
    statement: ClusterStatement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const connection = await this.#connect();
    try {
      const asked = connection.query<Row>({ ...statement, values: [...values] });
      return (await withDeadline(asked, ANSWER_DEADLINE_MS, "talking to the other processes")).rows;
    } catch (error) {
      this.#lose(connection);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    const connection = await (this.#connecting ?? Promise.resolve(this.#connection)).catch(() => null);
    this.#connection = null;
    if (connection !== null) await endClient(connection.client);
  }

  #connect(): Promise<QueryQueue> {
    if (this.#isClosed) return Promise.reject(new Error("the store is closed"));
    if (this.#connection !== null) return Promise.resolve(this.#connection);
    if (this.#connecting !== null) return this.#connecting;
    const { fault } = this.#pause;
    if (fault !== null) return Promise.reject(fault);
    this.#connecting = this.#open().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #open(): Promise<QueryQueue> {
    try {
      const client = await this.#server.connect();
      const connection = new QueryQueue(client);
      client.on("end", () => this.#lose(connection));
      client.on("error", () => this.#lose(connection));
      client.on("notification", (notification) => {
        if (this.#listener !== null) dispatch(notification, this.#listener);
      });
      if (this.#channels.length > 0) {
        const listening = connection.query({ text: listenText(this.#channels) });
        await withDeadline(listening, ANSWER_DEADLINE_MS, "listening");
      }
      this.#pause.reset();
      this.#connection = connection;
      this.#listener?.onChange(null);
      return connection;
    } catch (error) {
      this.#pause.begin(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  #lose(connection: QueryQueue): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    void endClient(connection.client);
  }
}

function listenText(channels: readonly string[]): string {
  return channels.map((channel) => `LISTEN "${channel}"`).join("; ");
}
