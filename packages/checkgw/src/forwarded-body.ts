import type { IncomingMessage } from "node:http";
import { bodyMediaType } from "@svc/http-edge/media-type";
import { BODIES_OVERLOADED, readBody } from "@svc/http-edge/read-body";
import type { JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { parseStrictJson } from "@svc/text/strict-json";
import { denied, malformed, ok, type Result } from "@svc/tool-calls/result";

/** The body of a request, read completely and strictly. */
export interface ForwardedBody {
  readonly value: JsonValue;
}

/**
 * Reads the JSON body of a request; null when it has no body or an empty one. Refuses a body that is
 * not strict JSON.
 */
export async function readForwardedBody(
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<Result<ForwardedBody | null>> {
  if (!announcesBody(request.headers)) return ok(null);
  const body = await readBody(request, MAX_BODY_BYTES, { signal });
  if (body.kind === "overloaded")
    return denied("internal_error", `The adapter refused the body: ${BODIES_OVERLOADED}.`);
  if (body.kind !== "body")
    return malformed("body", `at most ${MAX_BODY_BYTES} bytes, complete`, "a longer or incomplete body");
  if (body.bytes.byteLength === 0) return ok(null);
  const mediaType = bodyMediaType(request, ["application/json"]);
  if (mediaType.kind === "problem")
    return malformed("body", "application/json without a coding", "another media type or a coding");
  const document = parseStrictJson(body.bytes);
  return document.ok ? ok({ value: document.value }) : malformed("body", "strict JSON", document.fault.kind);
}

function announcesBody(headers: IncomingMessage["headers"]): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}
