import type { Server } from "node:http";
import type { Socket } from "node:net";
import { KEEP_ALIVE_TIMEOUT_MS, STALLED_CONNECTION_MS } from "@svc/contract/limits";
import { answerExchange, type HandleExchange } from "./answer-exchange.ts";
import { LaneConnection, type LaneDuties } from "./lane-connection.ts";

/**
 * Milliseconds that a new connection may be silent in the lane. Then the edge server has it, with its times
 * for the head and the whole of a request.
 */
const FIRST_BYTES_MS = 1_000;

/** Milliseconds beyond the announced time that an idle connection is kept, as Node does. */
const KEEP_ALIVE_BUFFER_MS = 1_000;

/** Milliseconds between two checks for connections that exceed their time. */
const CHECK_INTERVAL_MS = 1_000;

export interface LaneOptions {
  /** The targets that the lane takes, byte for byte. */
  readonly paths: readonly string[];
  /** Answers a request as the edge server's handler does; null while nobody can. */
  readonly handle: () => HandleExchange | null;
  /** Called with the error that `handle` threw and the id in the answer. */
  readonly onError: (error: unknown, requestId: string) => void;
  /** Shorter times, for tests. */
  readonly firstBytesMs?: number;
  readonly idleMs?: number;
  readonly stalledMs?: number;
  readonly checkIntervalMs?: number;
}

type ConnectionListener = (this: Server, socket: Socket) => void;

/**
 * A shorter way to the handler for the one request that is worth it. The lane stands between a listener and
 * its HTTP parser. While each piece of a connection is one whole request of a closed language, the lane reads
 * it. Everything else goes to the parser with the connection, byte for byte and for good. The lane refuses
 * nothing. The sockets, their number and their listener stay the server's.
 */
export class Lane {
  readonly #server: Server;
  readonly #options: LaneOptions;
  readonly #duties: LaneDuties;
  readonly #toParser: ConnectionListener;
  readonly #connections = new Set<LaneConnection>();
  #isDraining = false;
  #taken = 0;
  #handedOver = 0;

  /** Puts a lane in front of the parser of a server that does not listen yet. */
  constructor(server: Server, options: LaneOptions) {
    this.#server = server;
    this.#options = options;
    this.#toParser = takeParser(server);
    this.#duties = {
      paths: options.paths,
      isOpen: () => !this.#isDraining && options.handle() !== null,
      answer: (exchange) => {
        this.#taken += 1;
        answerExchange(exchange, options.handle(), options.onError);
      },
      onHandOver: (connection, socket, bytes) => this.#handOver(connection, socket, bytes),
      onClose: (connection) => this.#connections.delete(connection),
    };
    server.on("connection", (socket: Socket) => {
      this.#connections.add(new LaneConnection(socket, this.#duties));
    });
    const check = setInterval(() => this.#check(), options.checkIntervalMs ?? CHECK_INTERVAL_MS).unref();
    server.once("close", () => clearInterval(check));
  }

  /** Requests that the lane has taken, as count. */
  get requestsTaken(): number {
    return this.#taken;
  }

  /** Connections that the lane has handed over to the parser, as count. */
  get connectionsHandedOver(): number {
    return this.#handedOver;
  }

  /** From now on, every further request goes to the edge server, which ends its connection. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Closes the connections that wait for a further request, as Node does. New ones may still send one. */
  closeIdleConnections(): void {
    for (const connection of this.#connections) if (connection.state === "idle") connection.destroy();
  }

  closeAllConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  #handOver(connection: LaneConnection, socket: Socket, bytes: Buffer | null): void {
    this.#connections.delete(connection);
    this.#handedOver += 1;
    // A stream that has just delivered a piece asks for more in the next tick. The parser may have stopped
    // the reading by then, because its client does not read, and would fail on what comes. So it gets
    // nothing before the stream has asked.
    socket.pause();
    this.#toParser.call(this.#server, socket);
    // The parser reads from the socket's handle from now on. What was read before comes first.
    if (bytes !== null) socket.unshift(bytes);
    socket.resume();
  }

  #check(): void {
    const nowMs = performance.now();
    for (const connection of this.#connections) this.#checkOne(connection, nowMs - connection.sinceMs);
  }

  #checkOne(connection: LaneConnection, forMs: number): void {
    const { firstBytesMs, idleMs, stalledMs } = this.#options;
    switch (connection.state) {
      case "new":
        if (forMs >= (firstBytesMs ?? FIRST_BYTES_MS)) connection.handOver(null);
        return;
      case "idle":
        if (forMs >= (idleMs ?? KEEP_ALIVE_TIMEOUT_MS + KEEP_ALIVE_BUFFER_MS)) connection.destroy();
        return;
      case "owed":
      case "ending":
        if (forMs >= (stalledMs ?? STALLED_CONNECTION_MS)) connection.destroy();
        return;
      case "left":
    }
  }
}

/** Takes away Node's listener, which gives a connection to its parser. @throws when it has company. */
function takeParser(server: Server): ConnectionListener {
  const [toParser, ...others] = server.listeners("connection");
  if (toParser === undefined || others.length > 0)
    throw new Error(
      `expected one listener for connections, found ${String(others.length + (toParser ? 1 : 0))}`,
    );
  server.removeAllListeners("connection");
  return toParser as ConnectionListener;
}
