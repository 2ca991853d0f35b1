import { failClosedDeny } from "@svc/contract/verdict";
import { canonicalJson } from "@svc/text/canonical-json";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { parseStrictJson } from "@svc/text/strict-json";
import type { ClientMessage, RpcId } from "@svc/tool-calls/mcp-message";
import { parseMcpMessage } from "@svc/tool-calls/parse-mcp-message";
import { refusalError, rpcError } from "@svc/tool-calls/rpc-error";
import { answer, type InterceptorOutput, refuseHttp } from "./interceptor-output.ts";
import { type RequestHeaders, readRequestHeaders } from "./request-headers.ts";

/** One request to the gateway, as its event describes it. */
export interface InterceptedRequest {
  readonly message: ClientMessage;
  /** The complete message, which is forwarded when there is nothing to decide. */
  readonly document: JsonObject;
  readonly headers: RequestHeaders;
}

/** The request, or the refusal that the gateway gets instead. */
export type EventReading =
  | { readonly ok: true; readonly value: InterceptedRequest }
  | { readonly ok: false; readonly output: InterceptorOutput };

/**
 * Reads an event of version 1.0 about an MCP target. The raw text is judged. The gateway acts on its own
 * reading of it, so both must be equal.
 */
export function readEvent(event: unknown): EventReading {
  if (memberOf(event, "http") !== null)
    return { ok: false, output: refuseHttp("Expected an event about an MCP target.") };
  const request = memberOf(event, "mcp", "gatewayRequest");
  const raw = memberOf(event, "mcp", "rawGatewayRequest", "body");
  const fault = envelopeFault(event);
  if (fault !== null) return refused(event, fault);
  if (typeof raw !== "string") return refused(event, "rawGatewayRequest.body: expected the body as text.");
  const headers = readRequestHeaders(memberOf(request, "headers"));
  if (!headers.ok) return refused(event, headers.deny.reason);
  return readMessage(event, raw, headers.value);
}

function envelopeFault(event: unknown): string | null {
  if (memberOf(event, "interceptorInputVersion") !== "1.0") return 'interceptorInputVersion: expected "1.0".';
  if (memberOf(event, "mcp", "gatewayResponse") !== null)
    return "gatewayResponse: expected none, since this intercepts requests only.";
  if (memberOf(event, "mcp", "gatewayRequest", "httpMethod") !== "POST") return "httpMethod: expected POST.";
  for (const part of ["gatewayRequest", "rawGatewayRequest"]) {
    const encoded = memberOf(event, "mcp", part, "isBase64Encoded");
    if (encoded !== null && encoded !== false) return `${part}: expected a body that is not encoded.`;
  }
  return null;
}

function readMessage(event: unknown, raw: string, headers: RequestHeaders): EventReading {
  // Encoding would change a string that is not well-formed text.
  if (!raw.isWellFormed()) return refused(event, "rawGatewayRequest.body: expected well-formed text.");
  const bytes = Buffer.from(raw, "utf8");
  const parsed = parseMcpMessage(bytes, MAX_BODY_BYTES);
  if (!parsed.ok) {
    const { id, code, message } = parsed.fault;
    return { ok: false, output: answer(rpcError(id ?? idOf(event), code, message)) };
  }
  const document = parseStrictJson(bytes);
  if (!document.ok || !isJsonObject(document.value)) return refused(event, "The body is not a JSON object.");
  if (!saysTheSame(document.value, memberOf(event, "mcp", "gatewayRequest", "body")))
    return refused(event, "gatewayRequest.body: expected what rawGatewayRequest.body says.");
  return { ok: true, value: { message: parsed.message, document: document.value, headers } };
}

function saysTheSame(document: JsonObject, read: unknown): boolean {
  const again = parseStrictJson(Buffer.from(JSON.stringify(read), "utf8"));
  return again.ok && canonicalJson(again.value) === canonicalJson(document);
}

function refused(event: unknown, reason: string): EventReading {
  return { ok: false, output: refuseEvent(event, "request_malformed", reason) };
}

/** A refusal of a whole event, with the id of its request if the id is known. */
export function refuseEvent(
  event: unknown,
  code: "request_malformed" | "internal_error",
  reason: string,
): InterceptorOutput {
  return answer(refusalError(idOf(event), failClosedDeny(code, reason)));
}

/** Null if there is no id that can be answered. */
function idOf(event: unknown): RpcId | null {
  const id = memberOf(event, "mcp", "gatewayRequest", "body", "id");
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
}

/** The own member at the end of a path. Also null if it is absent. */
function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return null;
    current = (current as Readonly<Record<string, unknown>>)[key];
  }
  return current ?? null;
}
