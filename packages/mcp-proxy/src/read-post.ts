import type { IncomingMessage } from "node:http";
import { type ClientMessage, INVALID_REQUEST, PARSE_ERROR } from "@svc/contract/mcp-message";
import { parseMcpMessage } from "@svc/contract/parse-mcp-message";
import { bodyMediaType } from "@svc/http-edge/media-type";
import { readBody } from "@svc/http-edge/read-body";
import { MAX_MESSAGE_BYTES } from "./limits.ts";
import { salvagedId } from "./salvaged-id.ts";
import type { HttpFault } from "./send-message.ts";

/**
 * What a POST carries, with the bytes as they came; or why it goes no further. Where the id of a refused
 * request can be read, its fault is an answer to it with status 200: others end the session of some clients.
 */
export type Post =
  | { readonly kind: "message"; readonly message: ClientMessage; readonly bytes: Buffer }
  | { readonly kind: "form"; readonly bytes: Buffer }
  | { readonly kind: "fault"; readonly fault: HttpFault };

const FORM = "application/x-www-form-urlencoded";

/**
 * A form whose characters can never be a message, whoever reads it: no brace, bracket or quote can be in it.
 */
const FORM_TEXT = /^[A-Za-z0-9*._~!$'(),:;@/?=&%+-]*$/;

/**
 * Reads the body of a POST. Every path is alike: servers take messages at more paths than their clients use.
 * Forms pass for the sake of OAuth endpoints beside the server.
 */
export async function readPost(request: IncomingMessage): Promise<Post> {
  const mediaType = bodyMediaType(request, ["application/json", FORM]);
  if (mediaType.kind === "problem")
    return fault({ status: 415, code: PARSE_ERROR, message: mediaType.problem.detail });
  const body = await readBody(request, MAX_MESSAGE_BYTES);
  if (body.kind === "aborted")
    return fault({ status: 400, code: PARSE_ERROR, message: "The body broke off." });
  if (body.kind === "too_large") {
    const message = `Expected a message of at most ${String(MAX_MESSAGE_BYTES)} bytes.`;
    return fault({ status: 413, code: INVALID_REQUEST, message });
  }
  const { bytes } = body;
  if (mediaType.type === FORM) {
    if (FORM_TEXT.test(bytes.toString("latin1"))) return { kind: "form", bytes };
    return fault({ status: 400, code: PARSE_ERROR, message: "The body is no form." });
  }
  const parsed = parseMcpMessage(bytes, MAX_MESSAGE_BYTES);
  if (parsed.ok) return { kind: "message", message: parsed.message, bytes };
  const id = parsed.fault.id ?? salvagedId(bytes);
  return fault(id === null ? parsed.fault : { ...parsed.fault, id, status: 200 });
}

function fault(what: HttpFault): Post {
  return { kind: "fault", fault: what };
}
