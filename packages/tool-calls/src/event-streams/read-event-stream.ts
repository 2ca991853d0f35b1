import { isUtf8 } from "node:buffer";
import { malformed, ok, type Result } from "../result.ts";
import { eventData, fieldOf, linesOf, readEvent, type ServerSentEvent } from "../sse/server-sent-event.ts";

/** An event that clients dispatch. Comments, `id` and `retry` are left out, so they do not go on. */
export interface DispatchedEvent extends Pick<ServerSentEvent, "name"> {
  readonly data: string;
}

/**
 * Reads a whole stream of events (the HTML standard's event stream, and less): UTF-8 without a byte order
 * mark, known fields only, and every line and event complete. A stream that was cut off is refused.
 */
export function readEventStream(bytes: Uint8Array, maxBytes: number): Result<readonly DispatchedEvent[]> {
  if (bytes.byteLength > maxBytes) return malformed("body", `at most ${String(maxBytes)} bytes`, "more");
  if (!isUtf8(bytes)) return malformed("body", "UTF-8", "other bytes");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (text.startsWith("\uFEFF")) return malformed("body", "no byte order mark", "a byte order mark");
  return splitEvents(linesOf(text));
}

function splitEvents(lines: readonly string[]): Result<readonly DispatchedEvent[]> {
  const events: DispatchedEvent[] = [];
  let pending: string[] = [];
  for (const line of lines.slice(0, -1)) {
    if (line !== "") {
      if (!FIELDS.has(fieldOf(line)))
        return malformed("event stream", "event, data, id, retry or a comment", "another field");
      pending.push(line);
      continue;
    }
    const event = readEvent(pending);
    if (event.dataLines.length > 0) events.push({ name: event.name, data: eventData(event) });
    pending = [];
  }
  const rest = readEvent(pending);
  if (lines.at(-1) !== "" || rest.dataLines.length > 0 || rest.name !== null)
    return malformed("event stream", "its end", "half an event");
  return ok(events);
}

/** A comment is a line whose field has no name. */
const FIELDS: ReadonlySet<string> = new Set(["", "data", "event", "id", "retry"]);
