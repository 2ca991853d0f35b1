import type { EventRow } from "@svc/store/ports/event-rows";

/**
 * Why events were not sent. `overflow`: there were more than the stream could take. `unknown_id`: the client
 * sent an id that names no place in these logs. `unreadable`: rows are missing or cannot be read.
 */
export type GapReason = "overflow" | "unknown_id" | "unreadable";

export interface Gap {
  readonly reason: GapReason;
  /** The event behind which some are missing, and the one from which on they are sent again. */
  readonly after: string;
  readonly until: string;
}

/** No text here has a line break: kinds are names, ids are identifiers, data is one line of JSON. */
export function renderEvent({ kind, data }: EventRow, id: string): Buffer {
  return Buffer.from(`event: ${kind}\nid: ${id}\ndata: ${data}\n\n`, "utf8");
}

export function renderGap(gap: Gap): Buffer {
  return Buffer.from(`event: gap\nid: ${gap.until}\ndata: ${JSON.stringify(gap)}\n\n`, "utf8");
}

/** An id without data is not an event, but a client that connects again sends it. */
export function renderOpening(retryMs: number, id: string): Buffer {
  return Buffer.from(`retry: ${String(retryMs)}\nid: ${id}\n\n`, "utf8");
}

/** @param id null while it would name events that were not sent yet */
export function renderHeartbeat(id: string | null): Buffer {
  return Buffer.from(id === null ? ":\n\n" : `:\nid: ${id}\n\n`, "utf8");
}

export function renderComment(text: string): Buffer {
  return Buffer.from(`: ${text.replaceAll(/[\r\n]/g, " ")}\n\n`, "utf8");
}
