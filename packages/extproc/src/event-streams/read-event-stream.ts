import { isUtf8 } from "node:buffer";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import type { HttpMessage } from "../stream/stream-state.ts";
import type { HeaderList } from "../wire/header-list.ts";

/** One event of a stream; comments, `id` and `retry` are left out, so they do not go on either. */
export interface ServerSentEvent {
  /** As its last `event` line says; null without one. */
  readonly name: string | null;
  /** Its `data` lines, joined by line feeds. */
  readonly data: string;
}

const EVENT_STREAM = /^text\/event-stream(?: *; *charset="?utf-8"?)?$/i;
const LINE_END = /\r\n|\n|\r/;

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
): Result<readonly ServerSentEvent[]> {
  const coding = headers.get("content-encoding")?.join(",") ?? "identity";
  if (coding.toLowerCase() !== "identity") return malformed("content-encoding", "none", "another");
  const bytes = Buffer.from(body ?? []);
  const length = headers.get("content-length")?.join(",") ?? String(bytes.byteLength);
  if (length !== String(bytes.byteLength)) return malformed("body", `${length.slice(0, 20)} bytes`, "others");
  if (bytes.byteLength > maxBytes) return malformed("body", `at most ${String(maxBytes)} bytes`, "more");
  if (!isUtf8(bytes)) return malformed("body", "UTF-8", "other bytes");
  const text = bytes.toString("utf8");
  if (text.startsWith("\uFEFF")) return malformed("body", "no byte order mark", "one");
  return splitEvents(text.split(LINE_END));
}

function splitEvents(lines: readonly string[]): Result<readonly ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  let name: string | null = null;
  let data: string[] = [];
  for (const line of lines.slice(0, -1)) {
    if (line === "") {
      if (data.length > 0) events.push({ name, data: data.join("\n") });
      name = null;
      data = [];
      continue;
    }
    const { field, value } = splitLine(line);
    if (field === "data") data.push(value);
    else if (field === "event") name = value;
    else if (!IGNORED.has(field))
      return malformed("event stream", "event, data, id, retry or a comment", "another");
  }
  if (lines.at(-1) !== "" || data.length > 0 || name !== null)
    return malformed("event stream", "its end", "half an event");
  return ok(events);
}

/** A comment is a line whose field has no name. */
const IGNORED: ReadonlySet<string> = new Set(["", "id", "retry"]);

function splitLine(line: string): { readonly field: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { field: line, value: "" };
  const value = line.slice(colon + 1);
  return { field: line.slice(0, colon), value: value.startsWith(" ") ? value.slice(1) : value };
}
