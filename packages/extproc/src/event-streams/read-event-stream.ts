import { isUtf8 } from "node:buffer";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import {
  eventData,
  fieldOf,
  linesOf,
  readEvent,
  type ServerSentEvent,
} from "@svc/tool-calls/server-sent-event";
import type { HttpMessage } from "../stream/stream-state.ts";
import type { HeaderList } from "../wire/header-list.ts";

/** An event that clients dispatch. Comments, `id` and `retry` are left out, so they do not go on either. */
export interface DispatchedEvent extends Pick<ServerSentEvent, "name"> {
  readonly data: string;
}

const EVENT_STREAM = /^text\/event-stream(?: *; *charset="?utf-8"?)?$/i;

/** Whether a message says that it is a stream of events in UTF-8. */
export function isEventStream(headers: HeaderList): boolean {
  return EVENT_STREAM.test(headers.get("content-type")?.join(",") ?? "");
}

/**
 * Reads a whole stream of events (the HTML standard's event stream, and less): UTF-8 without a byte order
 * mark, known fields only, every line and every event ended. A stream that was cut off is refused.
 */
export function readEventStream(
  { headers, body }: HttpMessage,
  maxBytes: number,
): Result<readonly DispatchedEvent[]> {
  const coding = headers.get("content-encoding")?.join(",") ?? "identity";
  if (coding.toLowerCase() !== "identity") return malformed("content-encoding", "none", "another");
  const bytes = Buffer.from(body ?? []);
  const length = headers.get("content-length")?.join(",") ?? String(bytes.byteLength);
  if (length !== String(bytes.byteLength)) return malformed("body", `${length.slice(0, 20)} bytes`, "others");
  if (bytes.byteLength > maxBytes) return malformed("body", `at most ${String(maxBytes)} bytes`, "more");
  if (!isUtf8(bytes)) return malformed("body", "UTF-8", "other bytes");
  const text = bytes.toString("utf8");
  if (text.startsWith("\uFEFF")) return malformed("body", "no byte order mark", "one");
  return splitEvents(linesOf(text));
}

function splitEvents(lines: readonly string[]): Result<readonly DispatchedEvent[]> {
  const events: DispatchedEvent[] = [];
  let pending: string[] = [];
  for (const line of lines.slice(0, -1)) {
    if (line !== "") {
      if (!FIELDS.has(fieldOf(line)))
        return malformed("event stream", "event, data, id, retry or a comment", "another");
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
