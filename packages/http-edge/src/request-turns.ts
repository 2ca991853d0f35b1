import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { BodyBudget, type BodyShare } from "./body-budget.ts";

/** Bytes that a waiting request counts for: a small one takes about 5 KiB with its response. */
const WAITING_REQUEST_BYTES = 8 * 1024;

/** Most requests of this process that wait, as count: 64 MiB, as unfinished bodies may hold. */
const MAX_WAITING_REQUESTS = 8_192;

/**
 * Waiting requests of one turn of the event loop beyond which nothing is read before the next turn, as count:
 * six pieces of the smallest ones. What a closed connection holds is free only after its turn.
 */
const MAX_PARSED_PER_TURN = 4_096;

/** What becomes of a request. */
export interface RequestTurn {
  readonly begin: () => void;
  /** Closes the connection, because too many requests wait. */
  readonly close: () => void;
}

interface Waiting {
  readonly response: ServerResponse;
  readonly begin: () => void;
  readonly share: BodyShare;
}

/** The requests of one connection. */
interface Turns {
  /** Parsed behind one that is not answered yet, in their order. */
  readonly waiting: Waiting[];
  isAtWork: boolean;
}

/**
 * Gives pipelined requests their turns. One request of a connection is at work. The next begins when that one
 * is answered, in a later turn of the event loop. So a connection with thousands of requests takes no more of
 * each turn than one with a single request. While requests wait, nothing is read from their connection: as
 * many wait as the parser found in the piece that it had at hand. When too many wait in the process, the
 * connections of those that have waited longest are closed, and their requests are not decided. When many
 * came in one turn, no connection is read before the next: thousands may have sent something meanwhile.
 */
export class RequestTurns {
  readonly #budget: BodyBudget;
  /** Of every open connection. */
  readonly #turns = new Map<Socket, Turns>();
  #parsedInTurn = 0;

  constructor(maxWaiting = MAX_WAITING_REQUESTS) {
    this.#budget = new BodyBudget(maxWaiting * WAITING_REQUEST_BYTES);
  }

  /** Takes a connection that the parser will read. */
  open(socket: Socket): Turns {
    const turns: Turns = { waiting: [], isAtWork: false };
    this.#turns.set(socket, turns);
    socket.once("close", () => {
      this.#turns.delete(socket);
      for (const { share } of turns.waiting.splice(0)) share.release();
    });
    // Node and a lane resume a connection for reasons of their own.
    socket.on("resume", () => {
      if (turns.waiting.length > 0 || this.#isFull) socket.pause();
    });
    return turns;
  }

  /** Begins the request of this response now, or when those before it on its connection are answered. */
  run(response: ServerResponse, { begin, close }: RequestTurn): void {
    const { socket } = response.req;
    const turns = this.#turns.get(socket) ?? this.open(socket);
    if (!turns.isAtWork) return this.#begin(socket, turns, { response, begin });
    const share = this.#budget.open(close);
    turns.waiting.push({ response, begin, share });
    socket.pause();
    share.add(WAITING_REQUEST_BYTES);
    this.#count();
  }

  get #isFull(): boolean {
    return this.#parsedInTurn >= MAX_PARSED_PER_TURN;
  }

  #count(): void {
    if (this.#parsedInTurn === 0) setImmediate(() => this.#nextTurn());
    this.#parsedInTurn += 1;
    if (this.#parsedInTurn !== MAX_PARSED_PER_TURN) return;
    for (const [socket, { waiting }] of this.#turns) if (waiting.length === 0) socket.pause();
  }

  #nextTurn(): void {
    const wasFull = this.#isFull;
    this.#parsedInTurn = 0;
    if (!wasFull) return;
    for (const [socket, { waiting }] of this.#turns) if (waiting.length === 0) socket.resume();
  }

  #begin(socket: Socket, turns: Turns, { response, begin }: Omit<Waiting, "share">): void {
    turns.isAtWork = true;
    response.once("close", () => {
      if (turns.waiting.length > 0) setImmediate(() => this.#beginNext(socket, turns));
      else turns.isAtWork = false;
    });
    begin();
  }

  #beginNext(socket: Socket, turns: Turns): void {
    // An answer can be the last of its connection. What is behind it is not decided.
    if (!socket.writable) return;
    const next = turns.waiting.shift();
    if (next === undefined) return;
    next.share.release();
    if (turns.waiting.length === 0) socket.resume();
    this.#begin(socket, turns, next);
  }
}
