import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { strictText } from "@svc/text/strict-text";
import { malformed, ok, type Result } from "../result.ts";
import { renderEvent } from "../sse/server-sent-event.ts";
import type { DispatchedEvent } from "./read-event-stream.ts";

/** A model's answer that comes as a stream of events. */
export interface AnswerEvents {
  /** The data of each event, in order; never empty. */
  readonly values: readonly JsonObject[];
  /** Whether `[DONE]` came after the last one. */
  readonly isDone: boolean;
}

const DONE = "[DONE]";

/** Line ends for some readers, though not by the standard. They are always escaped. */
const FURTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** Reads the data of every event as strict JSON. An event whose name differs from its `type` is refused. */
export function readAnswerEvents(events: readonly DispatchedEvent[], maxBytes: number): Result<AnswerEvents> {
  const isDone = events.at(-1)?.data === DONE;
  const values: JsonObject[] = [];
  for (const { name, data } of isDone ? events.slice(0, -1) : events) {
    const document = parseStrictJson(Buffer.from(data), maxBytes);
    if (!document.ok) {
      return malformed("event data", `strict JSON: ${document.fault.expected}`, document.fault.found);
    }
    if (!isJsonObject(document.value)) return malformed("event data", "a JSON object", "another value");
    const { type = name } = document.value;
    if (name !== null && name !== type) return malformed("event", "its type as its name", "another name");
    values.push(document.value);
  }
  if (values.length === 0) return malformed("event stream", "an answer", "nothing");
  return ok({ values, isDone });
}

/**
 * The bytes of an answer, written anew: every reader of event streams finds the same events in them. The name
 * of an event is its `type`; an event without a type has no name.
 */
export function renderAnswerEvents(values: readonly JsonObject[], isDone: boolean): Uint8Array {
  const texts = values.map((value) => {
    const { type } = value;
    const name = typeof type === "string" ? type : null;
    return renderEvent(name, strictText(value).replace(FURTHER_LINE_ENDS, escape));
  });
  return Buffer.from(texts.join("") + (isDone ? renderEvent(null, DONE) : ""));
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
