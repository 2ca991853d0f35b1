import type { Socket } from "node:net";
import type { AfterAnswer } from "./answer-head.ts";
import { LaneExchange } from "./lane-exchange.ts";
import { type LaneRequest, LaneRequests } from "./lane-requests.ts";

/** What a connection needs of its lane. */
export interface LaneDuties {
  readonly paths: readonly string[];
  /** Whether the lane takes requests at this moment. */
  readonly isOpen: () => boolean;
  /** Answers a request. Never throws. */
  readonly answer: (exchange: LaneExchange) => void;
  /** Called when the lane has no more part in the connection. `bytes` were read and not used. */
  readonly onHandOver: (connection: LaneConnection, socket: Socket, bytes: Buffer | null) => void;
  readonly onClose: (connection: LaneConnection) => void;
}

/**
 * `new`: no byte has come. `owed`: a request is being answered. `idle`: the last answer was sent. `ending`:
 * it was the last of the connection. `left`: the connection is closed, or the edge server has it.
 */
export type LaneState = "new" | "owed" | "idle" | "ending" | "left";

/**
 * One connection, for as long as each piece that arrives is one whole request of the lane's language. The
 * first piece that is anything else goes to the edge server with the connection, for good.
 */
export class LaneConnection {
  readonly #socket: Socket;
  readonly #duties: LaneDuties;
  readonly #requests: LaneRequests;
  /** Bytes that came while an answer was owed. Reading stops with the first of them. */
  #kept: Buffer[] = [];
  #exchange: LaneExchange | null = null;
  #state: LaneState = "new";
  #sinceMs = performance.now();

  constructor(socket: Socket, duties: LaneDuties) {
    this.#socket = socket;
    this.#duties = duties;
    this.#requests = new LaneRequests(duties.paths, socket);
    socket.on("data", this.#onData);
    socket.on("end", this.#onEnd);
    socket.on("error", this.#onError);
    socket.on("close", this.#onClose);
  }

  get state(): LaneState {
    return this.#state;
  }

  /** When the connection came into its state, on the clock of `performance.now()`. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Gives the connection up, with the bytes that were read and not used. */
  handOver(bytes: Buffer | null): void {
    this.#leave();
    this.#duties.onHandOver(this, this.#socket, bytes);
  }

  readonly #onData = (bytes: Buffer): void => {
    switch (this.#state) {
      case "owed":
        this.#kept.push(bytes);
        this.#socket.pause();
        return;
      case "new":
      case "idle":
        return this.#take(bytes);
      case "ending":
      case "left":
    }
  };

  #take(bytes: Buffer): void {
    // A client that does not read its answers gets the edge server, which stops reading from it.
    const isTaking = this.#duties.isOpen() && this.#socket.writableLength === 0;
    const request = isTaking ? this.#requests.read(bytes) : null;
    if (request === null) this.handOver(bytes);
    else this.#begin(request);
  }

  #begin(request: LaneRequest): void {
    this.#enter("owed");
    const exchange = new LaneExchange(this.#socket, request, this.#onAnswered);
    this.#exchange = exchange;
    this.#duties.answer(exchange);
  }

  readonly #onAnswered = (after: AfterAnswer): void => {
    if (this.#state !== "owed") return;
    this.#exchange = null;
    this.#enter(after === "ended" ? "ending" : "idle");
    if (after === "ended") this.#socket.destroySoon();
    else if (this.#kept.length > 0) this.#takeKept();
  };

  #takeKept(): void {
    const bytes = Buffer.concat(this.#kept);
    this.#kept = [];
    this.#socket.resume();
    this.#take(bytes);
  }

  #enter(state: LaneState): void {
    this.#state = state;
    this.#sinceMs = performance.now();
  }

  /** As the edge server does: a client that has ended its side gets no further answer. */
  readonly #onEnd = (): void => {
    this.#socket.end();
  };

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#leave();
    this.#exchange?.clientLeft();
    this.#duties.onClose(this);
  };

  #leave(): void {
    this.#enter("left");
    this.#kept = [];
    this.#socket.off("data", this.#onData);
    this.#socket.off("end", this.#onEnd);
    this.#socket.off("error", this.#onError);
    this.#socket.off("close", this.#onClose);
  }
}
