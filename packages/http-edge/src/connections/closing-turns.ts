import type { Socket } from "node:net";

/**
 * Closings in one turn of the event loop, as count. One takes up to 50 us of the thread, so other connections
 * wait 5 ms for them.
 */
const CLOSINGS_PER_TURN = 100;

/** The part of the waiting closings that a turn takes when they are many: what waits stays bounded. */
const SHARE_PER_TURN = 1 / 16;

/**
 * Spreads what closed connections cost over turns of the event loop. Without it, thousands of connections
 * that close at once keep the thread from everybody else until the last of them is cleared away.
 */
export class ClosingTurns {
  #inThisTurn = 0;
  #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** Closings that wait for a turn, as count. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs a closing: at once while this turn has had few, else in a later turn. */
  run(close: () => void): void {
    this.#schedule();
    if (this.#inThisTurn < CLOSINGS_PER_TURN && this.#waiting.length === 0) {
      this.#inThisTurn += 1;
      close();
    } else this.#waiting.push(close);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    this.#inThisTurn = 0;
    if (this.#waiting.length === 0) return;
    const count = Math.max(CLOSINGS_PER_TURN, Math.ceil(this.#waiting.length * SHARE_PER_TURN));
    const closings = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    // New ones of this turn go behind those that wait.
    this.#inThisTurn = CLOSINGS_PER_TURN;
    this.#schedule();
    for (const close of closings) close();
  }
}

/** Takes turns for what a client causes by leaving: the end of its side, and a reset. */
export function closeInTurns(socket: Socket, turns: ClosingTurns): void {
  const push = socket.push.bind(socket);
  const destroy = socket._destroy.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk !== null) return push(chunk, encoding);
    turns.run(() => {
      if (socket.destroyed) return;
      push(null);
      // The end is emitted to who reads.
      socket.read(0);
    });
    return false;
  };
  socket._destroy = (error, done): void => {
    if (hasLeft(error)) turns.run(() => destroy(error, done));
    else destroy(error, done);
  };
}

/** Nothing more is read from a connection that was reset, so its closing can wait. */
function hasLeft(error: Error | null): boolean {
  return error !== null && "syscall" in error && error.syscall === "read";
}
