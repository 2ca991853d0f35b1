import type { WatchSpan } from "@svc/store/ports/supervision-store";

/** Milliseconds by which the clock of the store may run off between two readings before it has jumped. */
const JUMP_MS = 1_000;

/** Spans that are kept, as count: one for each change of the leader within a silence that still counts. */
const MAX_SPANS = 32;

/** Milliseconds of the shortest gap that is remembered: looks come more often unless something is slow. */
const SHORTEST_GAP_MS = 1_000;

/** Gaps that are remembered, as count. Each is shorter than the one before, and all are below a pause. */
const MAX_GAPS = 16;

/** One reading of the clock of the store, between two readings of the monotonic clock of this process. */
export interface StoreReading {
  readonly storeMs: number;
  readonly askedMs: number;
  readonly answeredMs: number;
}

/** Milliseconds of these spans that came after a moment of the clock of the store. */
export function watchedSince(spans: readonly WatchSpan[], storeMs: number): number {
  let sinceMs = 0;
  for (const { fromMs, untilMs } of spans) sinceMs += Math.max(untilMs - Math.max(fromMs, storeMs), 0);
  return sinceMs;
}

/**
 * The time for which a supervisor has watched, in milliseconds. It stands still while nobody watches, and a
 * jump of the clock of the store does not move it. Silence is measured by it, so a pause of the service does
 * not count as a missed heartbeat, and silence from before a change of the leader still counts.
 */
export class WatchedClock {
  #spans: WatchSpan[];
  #nowMs = 0;
  #resumedAtMs = 0;
  /** The latest gap of each length: each is shorter than those before it. */
  #gaps: readonly { readonly lengthMs: number; readonly endedAtMs: number }[] = [];
  #last: StoreReading | null = null;

  readonly #stallMs: number;

  /** @param spans when earlier supervisors watched, by the clock of the store, oldest first */
  constructor(spans: readonly WatchSpan[], stallMs: number) {
    this.#spans = [...spans];
    this.#stallMs = stallMs;
  }

  /** As of the last reading. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Since watching began, or went on after a pause, a jump of the clock or a gap of more than `gapMs`. */
  watchedMs(gapMs: number): number {
    const gap = this.#gaps.findLast(({ lengthMs }) => lengthMs > gapMs);
    return this.#nowMs - Math.max(this.#resumedAtMs, gap?.endedAtMs ?? 0);
  }

  /** For so long, until the last reading, heartbeats may have had nowhere to go. */
  noteGap(lengthMs: number): void {
    if (lengthMs < SHORTEST_GAP_MS) return;
    const longer = this.#gaps.filter((gap) => gap.lengthMs > lengthMs);
    this.#gaps = [...longer, { lengthMs, endedAtMs: this.#nowMs }].slice(-MAX_GAPS);
  }

  /** What a later supervisor needs to know. */
  get spans(): readonly WatchSpan[] {
    return this.#spans;
  }

  /** @returns whether watching went on without a pause and without a jump of the clock of the store */
  read(reading: StoreReading): "continued" | "paused" | "jumped" {
    const last = this.#last;
    this.#last = reading;
    const { storeMs, answeredMs } = reading;
    const passedMs = last === null ? Number.POSITIVE_INFINITY : answeredMs - last.answeredMs;
    if (last === null || passedMs > this.#stallMs) return this.#resume("paused", storeMs, storeMs);
    this.#nowMs += passedMs;
    this.noteGap(passedMs);
    const driftMs = Math.abs(storeMs - last.storeMs - passedMs);
    const doubtMs = answeredMs - reading.askedMs + last.answeredMs - last.askedMs;
    if (driftMs > JUMP_MS + doubtMs) return this.#resume("jumped", storeMs - passedMs, storeMs);
    const current = this.#spans.at(-1);
    if (current !== undefined) this.#spans[this.#spans.length - 1] = { ...current, untilMs: storeMs };
    return "continued";
  }

  /** When it was this time on the clock of the store. Time that nobody watched counts as one moment. */
  at(storeMs: number): number {
    return this.#nowMs - watchedSince(this.#spans, storeMs);
  }

  /**
   * Milliseconds since then of all time, watched or not. The clock of the store may have jumped while nobody
   * watched, so this may be too much, but never less than the watched time.
   */
  passedSince(storeMs: number): number {
    return Math.max((this.#last?.storeMs ?? storeMs) - storeMs, this.#nowMs - this.at(storeMs));
  }

  /** Of the last reading, by the monotonic clock. */
  get readAtMs(): number {
    return this.#last?.answeredMs ?? 0;
  }

  #resume(why: "paused" | "jumped", fromMs: number, untilMs: number): typeof why {
    this.#resumedAtMs = this.#nowMs;
    // After the clock was set back, times of before cannot be told from times to come. They no longer count.
    const isSetBack = (this.#spans.at(-1)?.untilMs ?? fromMs) > fromMs + JUMP_MS;
    const earlier = isSetBack ? [] : this.#spans;
    this.#spans = [...earlier, { fromMs, untilMs }].slice(-MAX_SPANS);
    return why;
  }
}
