import type { LogNotes } from "./log-report.ts";
import { parseRowText } from "./parse-row-text.ts";

/** Collects what is worth knowing about rows whose hashes are right. */
export class RowNotes {
  #lastTime = "";
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
    if (time < this.#lastTime) {
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
    };
  }
}
