import type { ServerResponse } from "node:http";
import type { Problem } from "@svc/contract/problem";
import { renderComment } from "./event-frame.ts";
import type { EventPositions } from "./event-id.ts";
import type { EventSelection } from "./event-selection.ts";

/** Where a reader is: at a place of the ring, or in the log behind it. */
export type Place =
  | { readonly kind: "live"; readonly cursor: number }
  | { readonly kind: "behind"; readonly positions: EventPositions };

export interface EventReaderParts {
  readonly response: ServerResponse;
  readonly selection: EventSelection;
  /** Why the key may not read any more; null while it may. */
  readonly refusal: () => Problem | null;
  readonly nowMs: () => number;
  /** Called with the change of what was sent and not yet taken. */
  readonly onUntaken: (bytes: number) => void;
}

/** One open stream. At most one chunk is on its way: the next is sent when the client's side has taken it. */
export class EventReader {
  readonly selection: EventSelection;
  place: Place;
  /** The id of the last event that was sent or passed over. */
  lastId: string;
  readonly #parts: EventReaderParts;
  #busySinceMs: number | null = null;
  #sentAtMs: number;
  #taken = Promise.resolve();

  constructor(parts: EventReaderParts, place: Place, lastId: string) {
    this.#parts = parts;
    this.selection = parts.selection;
    this.place = place;
    this.lastId = lastId;
    this.#sentAtMs = parts.nowMs();
  }

  get isBusy(): boolean {
    return this.#busySinceMs !== null;
  }

  get isOpen(): boolean {
    return !this.#parts.response.writableEnded && !this.#parts.response.destroyed;
  }

  /** Milliseconds since something was sent. */
  get quietMs(): number {
    return this.#parts.nowMs() - this.#sentAtMs;
  }

  /** Milliseconds for which a chunk has not been taken. */
  get stalledMs(): number {
    return this.#busySinceMs === null ? 0 : this.#parts.nowMs() - this.#busySinceMs;
  }

  refusal(): Problem | null {
    return this.#parts.refusal();
  }

  /** @returns what resolves when the chunk is taken, or when the stream has ended */
  send(chunk: Buffer): Promise<void> {
    const { response, nowMs, onUntaken } = this.#parts;
    if (!this.isOpen) return this.#taken;
    this.#sentAtMs = nowMs();
    this.#busySinceMs = this.#sentAtMs;
    onUntaken(chunk.length);
    this.#taken = new Promise((resolve) => {
      response.write(chunk, () => {
        this.#busySinceMs = null;
        onUntaken(-chunk.length);
        resolve();
      });
    });
    return this.#taken;
  }

  /** Ends the stream with a comment that says why. The client may connect again. */
  end(why: string): void {
    if (this.isOpen) this.#parts.response.end(renderComment(why));
  }

  /** Ends a stream that takes nothing. */
  destroy(): void {
    this.#parts.response.destroy();
  }
}
