import type { IncomingMessage } from "node:http";
import { bodyMediaType } from "@svc/http-edge/media-type";
import { BODIES_OVERLOADED, readBody } from "@svc/http-edge/read-body";
import { type ClientMessage, INVALID_REQUEST, PARSE_ERROR } from "@svc/tool-calls/mcp-message";
import { parseMcpMessage } from "@svc/tool-calls/parse-mcp-message";
import { MAX_MESSAGE_BYTES } from "../limits.ts";
import type { BodyKind } from "../paths.ts";
import { salvagedId } from "./salvaged-id.ts";
import type { HttpFault } from "./send-message.ts";

/**
 * What a POST carries, with its bytes as they came, or why it is refused. If the id of a refused
 * request can be read, the fault answers that id with status 200, because another status ends the
 * session of some clients.
 */
export type Post =
  | { readonly kind: "message"; readonly message: Message; readonly bytes: Buffer }
  | { readonly kind: "document"; readonly bytes: Buffer }
  | { readonly kind: "fault"; readonly fault: HttpFault };

/** A message of MCP of any kind. */
export type Message = Exclude<ClientMessage, { readonly kind: "other" }>;

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

/** The characters of a form. Without braces, brackets and quotes no parser can read it as a message. */
const FORM_TEXT = /^[A-Za-z0-9*._~!$'(),:;@/?=&%+-]*$/;

/** Reads the body of a POST, and refuses what is not of these kinds. */
export async function readPost(request: IncomingMessage, kinds: readonly BodyKind[]): Promise<Post> {
  const mediaType = bodyMediaType(request, mediaTypesOf(kinds));
  if (mediaType.kind === "problem")
    return fault({ status: 415, code: PARSE_ERROR, message: mediaType.problem.detail });
  const body = await readBody(request, MAX_MESSAGE_BYTES);
  if (body.kind === "aborted")
    return fault({ status: 400, code: PARSE_ERROR, message: "The body ended early." });
  if (body.kind === "overloaded")
    return fault({ status: 503, code: INVALID_REQUEST, message: BODIES_OVERLOADED });
  if (body.kind === "too_large") {
    const message = `Expected a message of at most ${String(MAX_MESSAGE_BYTES)} bytes.`;
    return fault({ status: 413, code: INVALID_REQUEST, message });
  }
  return mediaType.type === FORM ? readForm(body.bytes) : readJson(body.bytes, kinds);
}

function mediaTypesOf(kinds: readonly BodyKind[]): readonly string[] {
  const json = kinds.includes("message") || kinds.includes("json") ? [JSON_TYPE] : [];
  return kinds.includes("form") ? [...json, FORM] : json;
}

function readForm(bytes: Buffer): Post {
  if (FORM_TEXT.test(bytes.toString("latin1"))) return { kind: "document", bytes };
  return fault({ status: 400, code: PARSE_ERROR, message: "The body is not a form." });
}

function readJson(bytes: Buffer, kinds: readonly BodyKind[]): Post {
  const parsed = parseMcpMessage(bytes, MAX_MESSAGE_BYTES);
  if (!parsed.ok) {
    const id = parsed.fault.id ?? salvagedId(bytes);
    return fault(id === null ? parsed.fault : { ...parsed.fault, id, status: 200 });
  }
  const { message } = parsed;
  if (message.kind === "other") {
    if (kinds.includes("json")) return { kind: "document", bytes };
    return fault({ status: 400, code: INVALID_REQUEST, message: NO_MESSAGE });
  }
  if (kinds.includes("message")) return { kind: "message", message, bytes };
  return fault({ status: 400, code: INVALID_REQUEST, message: NO_ENDPOINT });
}

const NO_MESSAGE = 'Expected a JSON-RPC message of MCP: jsonrpc "2.0", and a method, a result or an error.';
const NO_ENDPOINT = "An MCP message must be sent to the endpoint, not to this path.";

function fault(what: HttpFault): Post {
  return { kind: "fault", fault: what };
}
