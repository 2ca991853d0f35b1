import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { strictText } from "@svc/text/strict-text";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import type { HttpMessage } from "../stream/stream-state.ts";
import type { HeaderList } from "../wire/header-list.ts";
import { NO_CHANGES } from "../wire/processing-response.ts";
import type { Forwarded } from "./parsed-message.ts";

/**
 * The bytes of a JSON body. Refuses another media type, a coding, and a length that differs from the headers.
 */
export function readJsonBytes({ headers, body }: HttpMessage): Result<Uint8Array> {
  if (body === null || body.byteLength === 0) return malformed("body", "a JSON object", "nothing");
  const framing = checkFraming(headers, body);
  if (!framing.ok) return framing;
  if (!/^application\/json(?: *; *charset="?utf-8"?)?$/i.test(headers.get("content-type")?.join(",") ?? "")) {
    return malformed("content-type", "application/json in UTF-8", "another media type");
  }
  return ok(body);
}

/** Refuses an encoded body, and one whose length differs from its headers. */
export function checkFraming(headers: HeaderList, { byteLength }: Uint8Array): Result<null> {
  const coding = headers.get("content-encoding")?.join(",") ?? "identity";
  if (coding.toLowerCase() !== "identity") return malformed("content-encoding", "none", "a coding");
  const length = headers.get("content-length")?.join(",") ?? String(byteLength);
  return length === String(byteLength)
    ? ok(null)
    : malformed("body", `${length.slice(0, 20)} bytes`, "another length");
}

/** A body whose every strict reader reads the same value. */
export function readJsonBody(message: HttpMessage, maxBytes: number): Result<JsonObject> {
  const bytes = readJsonBytes(message);
  if (!bytes.ok) return bytes;
  const document = parseStrictJson(bytes.value, maxBytes);
  if (!document.ok) return malformed("body", `strict JSON: ${document.fault.expected}`, document.fault.found);
  return isJsonObject(document.value)
    ? ok(document.value)
    : malformed("body", "a JSON object", "another value");
}

/** The judged value, written anew. Every reader reads the same value from it. */
export function forwardJson(value: JsonValue): Forwarded {
  return { body: Buffer.from(strictText(value)), changes: NO_CHANGES };
}
