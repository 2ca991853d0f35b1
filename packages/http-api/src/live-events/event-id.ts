import { isIdentifier } from "@svc/contract/identifier";
import type { LogPositions } from "@svc/store/ports/event-rows";
import { MAX_EVENT_ID_LENGTH, MAX_NAMED_LOGS } from "./limits.ts";

/**
 * The id of an event: `<log id>=<next row>` of each log, with a comma between two. Where there are more logs
 * than MAX_NAMED_LOGS, it names those that grew last, and `+<rows>` is the number of rows in the others.
 */
export interface EventPosition {
  readonly named: LogPositions;
  /** Rows of the logs that are not named; null when all are named. */
  readonly others: number | null;
}

/** How far a stream is in every log, and the id that says so. */
export class EventPositions {
  /** Those that grew last stand last. */
  readonly #named = new Map<string, number>();
  readonly #others = new Map<string, number>();
  #otherRows = 0;

  constructor(positions: LogPositions) {
    for (const [logId, next] of positions) this.set(logId, next);
  }

  get all(): LogPositions {
    return new Map([...this.#others, ...this.#named]);
  }

  get(logId: string): number {
    return this.#named.get(logId) ?? this.#others.get(logId) ?? 0;
  }

  set(logId: string, next: number): void {
    this.#otherRows -= this.#others.get(logId) ?? 0;
    this.#others.delete(logId);
    this.#named.delete(logId);
    this.#named.set(logId, next);
    if (this.#named.size <= MAX_NAMED_LOGS) return;
    const [oldest = ["", 0]] = this.#named;
    const [oldestId, rows] = oldest;
    this.#named.delete(oldestId);
    this.#others.set(oldestId, rows);
    this.#otherRows += rows;
  }

  toString(): string {
    const named = [...this.#named].map(([logId, next]) => `${logId}=${String(next)}`).join(",");
    return this.#others.size === 0 ? named : `${named}+${String(this.#otherRows)}`;
  }
}

const OTHERS = /^(.*)\+(0|[1-9][0-9]{0,14})$/;

const NAMED = /^(.+)=(0|[1-9][0-9]{0,14})$/;

/** @returns null when the text is not the id of an event. */
export function parseEventId(text: string): EventPosition | null {
  if (text.length > MAX_EVENT_ID_LENGTH) return null;
  const cut = OTHERS.exec(text);
  const others = cut === null ? null : Number(cut[2]);
  const list = cut?.[1] ?? text;
  const named = new Map<string, number>();
  for (const part of list === "" ? [] : list.split(",")) {
    const match = NAMED.exec(part);
    const logId = match?.[1] ?? "";
    if (match === null || !isIdentifier(logId) || named.has(logId)) return null;
    named.set(logId, Number(match[2]));
  }
  return { named, others };
}

/** Where a stream goes on in every log. */
export interface Resumption {
  readonly from: LogPositions;
  /** False: rows after the id cannot be named, so some may be skipped. */
  readonly isExact: boolean;
}

/** @param sizes rows of every log, read after the id was received */
export function resumeAt({ named, others }: EventPosition, sizes: LogPositions): Resumption {
  const from = new Map<string, number>();
  let isExact = true;
  let otherRows = 0;
  for (const [logId, size] of sizes) if (!named.has(logId)) otherRows += size;
  for (const [logId, next] of named) {
    const size = sizes.get(logId) ?? 0;
    if (next > size) isExact = false;
    from.set(logId, Math.min(next, size));
  }
  const isOthersExact = others === null || others === otherRows;
  for (const [logId, size] of sizes) if (!named.has(logId)) from.set(logId, others === null ? 0 : size);
  return { from, isExact: isExact && isOthersExact };
}
