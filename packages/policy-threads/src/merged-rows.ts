import type { DecisionRow, OutcomeRow } from "@svc/contract/audit-row";
import type { LogRange, RowPage } from "@svc/policy-analysis/replay-exchange";
import { parseJson } from "@svc/text/parse-json";

/** A row of some log, read. */
export interface ReadRow {
  readonly decisionId: string;
  readonly row: DecisionRow | OutcomeRow;
  readonly text: string;
}

/** Reads one log from page to page. */
class LogRows {
  readonly #range: LogRange;
  #page: RowPage = { from: 0, bytes: new Uint8Array(), lengths: new Uint32Array() };
  /** Place in the page, as row and as byte. */
  #at = 0;
  #byte = 0;
  #next: number;
  /** Times of a log may go back with the clock of its gateway. Its rows stay in their order. */
  #latest = "";
  head: (ReadRow & { readonly time: string }) | null = null;
  removed = 0;
  read = 0;

  constructor(range: LogRange) {
    this.#range = range;
    this.#next = range.from;
  }

  get logId(): string {
    return this.#range.logId;
  }

  get next(): number {
    return this.#next;
  }

  get isAtEnd(): boolean {
    return this.head === null && this.#next >= this.#range.end;
  }

  feed(page: RowPage): void {
    if (page.from !== this.#next || page.lengths.length === 0)
      throw new Error("a page of rows does not follow");
    this.#page = page;
    [this.#at, this.#byte] = [0, 0];
    this.advance();
  }

  /** Goes to the next row that matters; `head` is null when the page has none. */
  advance(): void {
    this.head = null;
    const { bytes, lengths } = this.#page;
    while (this.#at < lengths.length && this.head === null) {
      const length = lengths[this.#at] ?? 0;
      const start = this.#byte;
      const seq = this.#next;
      this.#at += 1;
      this.#byte += length;
      this.#next += 1;
      this.read += 1;
      if (length === 0) this.removed += 1;
      else this.head = this.#rowOf(Buffer.from(bytes.buffer, bytes.byteOffset + start, length), seq);
    }
  }

  /** Null for a row of another kind, and for one that cannot be read. */
  #rowOf(bytes: Buffer, seq: number): LogRows["head"] {
    const text = bytes.toString("utf8");
    const row = parseRow(text);
    if (row === null) return null;
    if (row.time > this.#latest) this.#latest = row.time;
    return { decisionId: `${this.logId}.${String(seq)}`, row, text, time: this.#latest };
  }
}

function parseRow(text: string): DecisionRow | OutcomeRow | null {
  try {
    const row = parseJson(text) as DecisionRow | OutcomeRow;
    return row.v === 1 && (row.kind === "decision" || row.kind === "outcome") ? row : null;
  } catch {
    // The verifier of the log reports a damaged row. No call can be read from it.
    return null;
  }
}

/**
 * The rows of several logs in one order: by time, then by log. Rows of one log keep the order of their
 * numbers; a row that is older than one before it in its log counts as of the same time.
 */
export class MergedRows {
  readonly #logs: readonly LogRows[];

  constructor(ranges: readonly LogRange[]) {
    this.#logs = ranges.map((range) => new LogRows(range));
  }

  get rowsRead(): number {
    return this.#logs.reduce((sum, { read }) => sum + read, 0);
  }

  get rowsRemoved(): number {
    return this.#logs.reduce((sum, { removed }) => sum + removed, 0);
  }

  feed(logId: string, page: RowPage): void {
    const log = this.#logs.find((one) => one.logId === logId);
    if (log === undefined || log.head !== null) throw new Error("a page of rows was not asked for");
    log.feed(page);
  }

  /** The log whose next rows are needed before any further row can be taken; null when there is none. */
  needs(): { readonly logId: string; readonly from: number } | null {
    const log = this.#logs.find(({ head, isAtEnd }) => head === null && !isAtEnd);
    return log === undefined ? null : { logId: log.logId, from: log.next };
  }

  /** The next row of all logs, while `needs` is null; null at the end. */
  take(): ReadRow | null {
    let first: LogRows | null = null;
    let earliest: string | null = null;
    for (const log of this.#logs) {
      // Logs are sorted by id, so the first of equal times stays first.
      if (log.head === null || (earliest !== null && log.head.time >= earliest)) continue;
      first = log;
      earliest = log.head.time;
    }
    const row = first?.head ?? null;
    first?.advance();
    return row;
  }
}
