/** From an instant on, what a zone's clocks show beyond UTC. Milliseconds. */
interface Offset {
  readonly fromMs: number;
  readonly offsetMs: number;
}

const WEEK_MS = 7 * 24 * 3_600_000;

/** Most years that one clock remembers, as count: calls come in order of time, save those of a replay. */
const MAX_YEARS = 64;

/** Names such as Europe/Berlin, and UTC. Abbreviations are refused: EST never changes to summer time. */
const ZONE_NAME = /^(?:UTC|[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+)$/;

const CLOCKS = new Map<string, ZoneClock>();

/** Null: the runtime knows no such zone. */
export function zoneClock(zone: string): ZoneClock | null {
  const known = CLOCKS.get(zone);
  if (known !== undefined) return known;
  const formatter = ZONE_NAME.test(zone) ? formatterOf(zone) : null;
  if (formatter === null) return null;
  const clock = new ZoneClock(formatter);
  CLOCKS.set(zone, clock);
  return clock;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      era: "short",
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The clock of one zone. Asks the runtime's data once for each year, and then adds: a formatter would cost a
 * call some microseconds.
 */
export class ZoneClock {
  readonly #formatter: Intl.DateTimeFormat;
  readonly #years = new Map<number, readonly Offset[]>();

  constructor(formatter: Intl.DateTimeFormat) {
    this.#formatter = formatter;
  }

  /** What the clocks of the zone show, as if it were UTC. */
  shownAt(timeMs: number): number {
    const year = new Date(timeMs).getUTCFullYear();
    let offsetMs = 0;
    for (const offset of this.#year(year)) {
      if (offset.fromMs > timeMs) break;
      ({ offsetMs } = offset);
    }
    return timeMs + offsetMs;
  }

  #year(year: number): readonly Offset[] {
    const known = this.#years.get(year);
    if (known !== undefined) return known;
    if (this.#years.size >= MAX_YEARS) this.#years.clear();
    const offsets = this.#changesBetween(Date.UTC(year, 0), Date.UTC(year + 1, 0));
    this.#years.set(year, offsets);
    return offsets;
  }

  /** No zone has changed its clocks twice within a week and back. */
  #changesBetween(startMs: number, endMs: number): readonly Offset[] {
    const offsets: Offset[] = [{ fromMs: startMs, offsetMs: this.#offsetAt(startMs) }];
    let [beforeMs, before] = [startMs, this.#offsetAt(startMs)];
    for (let probe = startMs + WEEK_MS; beforeMs < endMs; probe += WEEK_MS) {
      const afterMs = Math.min(probe, endMs);
      const after = this.#offsetAt(afterMs);
      if (after !== before) offsets.push({ fromMs: this.#changeIn(beforeMs, afterMs), offsetMs: after });
      [beforeMs, before] = [afterMs, after];
    }
    return offsets;
  }

  /** The first second at which the later offset is in force. */
  #changeIn(fromMs: number, toMs: number): number {
    const before = this.#offsetAt(fromMs);
    let [low, high] = [Math.floor(fromMs / 1_000), Math.floor(toMs / 1_000)];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle * 1_000) === before) low = middle;
      else high = middle;
    }
    return high * 1_000;
  }

  #offsetAt(timeMs: number): number {
    const seconds = Math.floor(timeMs / 1_000) * 1_000;
    const shown = new Map(this.#formatter.formatToParts(seconds).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => Number(shown.get(name));
    const wall = Date.UTC(
      part("year"),
      part("month") - 1,
      part("day"),
      part("hour"),
      part("minute"),
      part("second"),
    );
    return wall - seconds;
  }
}
