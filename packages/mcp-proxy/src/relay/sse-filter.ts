import { isUtf8 } from "node:buffer";
import { eventData, eventType, fieldOf, linesOf, readEvent } from "@svc/tool-calls/server-sent-event";
import { MAX_EVENT_BYTES } from "../limits.ts";

/** A whole event, as its judge sees it. */
export interface FilteredEvent {
  /** `message` unless the stream says otherwise. */
  readonly type: string;
  /** Null: the event is not UTF-8. */
  readonly data: string | null;
  /** Whether it has an id, after which a client can resume the stream. */
  readonly hasId: boolean;
}

/** What happens to an event. `data`: it passes with this text in place of its own. */
export type EventRuling = "pass" | "drop" | { readonly data: string };

/**
 * Pieces of an event that are held at once, as count: a piece of one byte takes a hundred bytes of memory.
 */
const MAX_PIECES = 1_024;

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;

/**
 * Cuts a stream into events, however its bytes arrive, and passes on each whole event that its judge allows,
 * byte for byte. This delays nothing: a client does not read an event before its end either, and comments
 * pass line by line.
 */
export class SseFilter {
  readonly #judge: (event: FilteredEvent) => EventRuling;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #heldLines = 0;
  #lineBytes = 0;
  #atStart = true;
  /** Whether the last byte was a CR that ended a line: a following LF belongs to the same line end. */
  #awaitsLineFeed = false;
  #passedLast = true;
  #isOverfull = false;

  constructor(judge: (event: FilteredEvent) => EventRuling) {
    this.#judge = judge;
  }

  /** Whether an event was larger than MAX_EVENT_BYTES. Nothing passes after that. */
  get isOverfull(): boolean {
    return this.#isOverfull;
  }

  /** @returns what passes now */
  push(chunk: Buffer): readonly Buffer[] {
    if (this.#isOverfull) return [];
    const passed: Buffer[] = [];
    let from = this.#restOfLineEnd(chunk, passed);
    let line = from;
    const lineEndFrom = lineEndsOf(chunk);
    for (let end = lineEndFrom(line); end >= 0; end = lineEndFrom(line)) {
      const isBlank = this.#lineBytes === 0 && end === line;
      const isComment = this.#heldLines === 0 && (this.#held[0] ?? chunk.subarray(from))[0] === COLON;
      line = end + (chunk[end] === CR && chunk[end + 1] === LF ? 2 : 1);
      this.#awaitsLineFeed = line === chunk.length && chunk[line - 1] === CR;
      this.#lineBytes = 0;
      this.#heldLines += 1;
      if (!isBlank && !isComment) continue;
      this.#hold(chunk.subarray(from, line));
      from = line;
      this.#release(passed);
    }
    this.#lineBytes += chunk.length - line;
    this.#hold(chunk.subarray(from));
    if (this.#heldBytes > MAX_EVENT_BYTES) this.#isOverfull = true;
    return passed;
  }

  /** Takes the LF of a line end whose CR came with the previous piece. @returns its length */
  #restOfLineEnd(chunk: Buffer, passed: Buffer[]): number {
    if (!this.#awaitsLineFeed || chunk.length === 0) return 0;
    this.#awaitsLineFeed = false;
    if (chunk[0] !== LF) return 0;
    const rest = chunk.subarray(0, 1);
    if (this.#held.length > 0) this.#hold(rest);
    else if (this.#passedLast) passed.push(rest);
    return 1;
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#held.push(piece);
    this.#heldBytes += piece.length;
    if (this.#held.length > MAX_PIECES) this.#held = [Buffer.concat(this.#held)];
  }

  #release(passed: Buffer[]): void {
    const whole = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    this.#heldLines = 0;
    const lines = linesOfEvent(whole, this.#atStart);
    this.#atStart = false;
    const event = readWhole(lines, whole);
    const ruling = event === null ? "pass" : this.#judge(event);
    this.#passedLast = ruling !== "drop";
    if (ruling === "pass") passed.push(whole);
    else if (ruling !== "drop") passed.push(withData(lines, ruling.data));
  }
}

/**
 * Finds the next LF or CR at or after an index that only grows; below 0 when there is none. It looks at each
 * byte at most twice, however many line ends a server sends.
 */
function lineEndsOf(chunk: Buffer): (from: number) => number {
  let lineFeed = chunk.indexOf(LF);
  return (from) => {
    if (lineFeed >= 0 && lineFeed < from) lineFeed = chunk.indexOf(LF, from);
    const before = chunk.subarray(from, lineFeed < 0 ? chunk.length : lineFeed).indexOf(CR);
    return before < 0 ? lineFeed : from + before;
  };
}

function linesOfEvent(whole: Buffer, atStart: boolean): readonly string[] {
  const text = whole.toString("utf8");
  const read = atStart && text.startsWith("\uFEFF") ? text.slice(1) : text;
  return linesOf(read).filter((line) => line !== "");
}

/** The event; null for comments and empty lines. */
function readWhole(lines: readonly string[], whole: Buffer): FilteredEvent | null {
  const event = readEvent(lines);
  const { dataLines, hasId } = event;
  if (dataLines.length === 0 && !hasId) return null;
  return { type: eventType(event), data: isUtf8(whole) ? eventData(event) : null, hasId };
}

/** @param data without line ends, as JSON.stringify writes it */
function withData(lines: readonly string[], data: string): Buffer {
  const kept = lines.filter((line) => fieldOf(line) !== "data");
  return Buffer.from([...kept, `data: ${data}`, "", ""].join("\n"), "utf8");
}
