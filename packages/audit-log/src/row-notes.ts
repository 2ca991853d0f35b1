import type { LogNotes } from "./log-report.ts";
import { parseRowText } from "./parse-row-text.ts";

/** Milliseconds by which a row may read earlier than the row before it: calls that run at once finish so. */
const CLOCK_TOLERANCE_MS = 1_000;

/** Collects what is worth knowing about rows whose hashes are right. */
export class RowNotes {
  #firstTime: string | null = null;
  #lastTime: string | null = null;
  #clockReversals = 0;
  #firstClockReversal: number | null = null;
  #unreadableRows = 0;

  add(seq: number, bytes: Uint8Array): void {
    const reading = parseRowText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
    if (reading.kind !== "row") {
      this.#unreadableRows += 1;
      return;
    }
    // RFC 3339 UTC with milliseconds: the order of the texts is the order of the times.
    const { time } = reading.row;
    this.#firstTime ??= time;
    if (
      this.#lastTime !== null &&
      time < this.#lastTime &&
      Date.parse(this.#lastTime) - Date.parse(time) > CLOCK_TOLERANCE_MS
    ) {
      this.#clockReversals += 1;
      this.#firstClockReversal ??= seq;
    }
    this.#lastTime = time;
  }

  notes(): LogNotes {
    return {
      clockReversals: this.#clockReversals,
      firstClockReversal: this.#firstClockReversal,
      unreadableRows: this.#unreadableRows,
      firstTime: this.#firstTime,
      lastTime: this.#lastTime,
    };
  }
}
