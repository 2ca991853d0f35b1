/**
 * What waits for an answer until a deadline. It is itself a link in the list of those that wait, so that
 * waiting allocates nothing. Only Deadlines sets its fields.
 */
export interface Waiting {
  startedMs: number;
  earlier: Waiting | null;
  later: Waiting | null;
  /** Called once, when its time is over and `end` was not called. Must not throw. */
  onExpired(): void;
}

/** Milliseconds that only move forward. */
type Monotonic = () => number;

/**
 * The deadlines of all that wait for as long: each covers connecting, headers and body. One timer serves all,
 * because those that began first expire first. Those of the transport are too coarse below 1 s.
 */
export class Deadlines {
  readonly #timeoutMs: number;
  readonly #monotonicMs: Monotonic;
  #first: Waiting | null = null;
  #last: Waiting | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** The one whose time the timer keeps; null when it does not wait any more. */
  #timed: Waiting | null = null;
  #isEnding = false;

  constructor(timeoutMs: number, monotonicMs: Monotonic) {
    this.#timeoutMs = timeoutMs;
    this.#monotonicMs = monotonicMs;
  }

  /** Starts the deadline now. @throws what the clock throws; then nothing waits. */
  begin(waiting: Waiting): void {
    waiting.startedMs = this.#monotonicMs();
    const last = this.#last;
    waiting.earlier = last;
    this.#last = waiting;
    if (last !== null) last.later = waiting;
    else this.#first = waiting;
    if (this.#isEnding) return;
    if (this.#timer === null) this.#keepTime(waiting, this.#timeoutMs);
    else if (last === null) this.#timer.ref();
  }

  /**
   * Whether its time is over. Read after an answer, because a blocked event loop delivers both at once.
   * @throws what the clock throws.
   */
  isOver({ startedMs }: Waiting): boolean {
    return this.#monotonicMs() - startedMs >= this.#timeoutMs;
  }

  /** Must be called when the wait is over. Further calls do nothing. */
  end(waiting: Waiting): void {
    const { earlier, later } = waiting;
    if (earlier === null && this.#first !== waiting) return;
    if (earlier === null) this.#first = later;
    else earlier.later = later;
    if (later === null) this.#last = earlier;
    else later.earlier = earlier;
    waiting.earlier = null;
    waiting.later = null;
    if (this.#timed === waiting) this.#timed = null;
    // The timer runs on for the next question, and does not keep the process alive.
    if (this.#first === null) this.#timer?.unref();
  }

  #keepTime(waiting: Waiting, ms: number): void {
    this.#timed = waiting;
    this.#timer = setTimeout(this.#onTimer, ms);
  }

  readonly #onTimer = (): void => {
    this.#timer = null;
    this.#isEnding = true;
    try {
      // What it was set for has expired, whatever the clock says.
      if (this.#timed !== null) this.#expire(this.#timed);
      while (this.#first !== null && this.#leftMs(this.#first) === 0) this.#expire(this.#first);
    } finally {
      this.#isEnding = false;
      if (this.#first !== null) this.#keepTime(this.#first, this.#leftMs(this.#first));
    }
  };

  #expire(waiting: Waiting): void {
    this.end(waiting);
    waiting.onExpired();
  }

  /** In whole milliseconds, as timers count. A clock that fails leaves none, so nobody waits for ever. */
  #leftMs({ startedMs }: Waiting): number {
    try {
      return Math.max(0, Math.ceil(startedMs + this.#timeoutMs - this.#monotonicMs()));
    } catch {
      return 0;
    }
  }
}
