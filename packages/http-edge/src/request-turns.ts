import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { BodyBudget, type BodyShare } from "./body-budget.ts";

/** Bytes that a waiting request counts for: a small one takes about 5 KiB with its response. */
const WAITING_REQUEST_BYTES = 8 * 1024;

/** Most requests of this process that wait, as count: 64 MiB, as unfinished bodies may hold. */
const MAX_WAITING_REQUESTS = 8_192;

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
  isWatched: boolean;
}

/**
 * Gives pipelined requests their turns. One request of a connection is at work. The next begins when that one
 * is answered, in a later turn of the event loop. So a connection with thousands of requests takes no more of
 * each turn than one with a single request. While requests wait, nothing is read from their connection: as
 * many wait as the parser found in the piece that it had at hand. When too many wait in the process, the
 * connections of those that have waited longest are closed, and their requests are not decided.
 */
export class RequestTurns {
  readonly #budget: BodyBudget;
  readonly #turns = new WeakMap<Socket, Turns>();

  constructor(maxWaiting = MAX_WAITING_REQUESTS) {
    this.#budget = new BodyBudget(maxWaiting * WAITING_REQUEST_BYTES);
  }

  /** Begins the request of this response now, or when those before it on its connection are answered. */
  run(response: ServerResponse, { begin, close }: RequestTurn): void {
    const { socket } = response.req;
    const turns = this.#turns.get(socket) ?? this.#open(socket);
    if (!turns.isAtWork) return this.#begin(socket, turns, { response, begin });
    this.#watch(socket, turns);
    const share = this.#budget.open(close);
    turns.waiting.push({ response, begin, share });
    socket.pause();
    share.add(WAITING_REQUEST_BYTES);
  }

  #open(socket: Socket): Turns {
    const turns = { waiting: [], isAtWork: false, isWatched: false };
    this.#turns.set(socket, turns);
    return turns;
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
    if (!socket.writable) return drop(turns);
    const next = turns.waiting.shift();
    if (next === undefined) return;
    next.share.release();
    if (turns.waiting.length === 0) socket.resume();
    this.#begin(socket, turns, next);
  }

  #watch(socket: Socket, turns: Turns): void {
    if (turns.isWatched) return;
    turns.isWatched = true;
    socket.once("close", () => drop(turns));
    // Node resumes a connection for reasons of its own.
    socket.on("resume", () => {
      if (turns.waiting.length > 0) socket.pause();
    });
  }
}

function drop({ waiting }: Turns): void {
  for (const { share } of waiting.splice(0)) share.release();
}
