import type { JsonObject } from "@svc/text/json-value";

/**
 * Identifies a request and its answer. Its type is kept: 0 and "0" are different ids, and "" is a valid one.
 */
export type RpcId = string | number;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly document: JsonObject;
}

export interface RpcNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly document: JsonObject;
}

/** A client's answer to a request of its server. */
export interface RpcResponse {
  readonly kind: "response";
  readonly document: JsonObject;
}

/**
 * One body of a POST, read strictly. `other`: JSON that no reader can take for a message, such as the
 * registration of an OAuth client.
 */
export type ClientMessage = RpcRequest | RpcNotification | RpcResponse | { readonly kind: "other" };

/** Numbers of JSON-RPC 2.0 and of MCP. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const HEADER_MISMATCH = -32020;

/** Why a body cannot be judged, and the error that its sender gets. */
export interface MessageFault {
  readonly status: 400 | 404 | 413 | 415;
  readonly code: number;
  readonly message: string;
  /** Null when the id could not be read. */
  readonly id: RpcId | null;
}

/** Key in `_meta` by which requests from revision 2026-07-28 on name their revision. */
const PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** Whether a request belongs to the stateless revisions. Its own body says so, not only a header. */
export function isStateless({ params }: RpcRequest): boolean {
  return Object.hasOwn(metaOf(params), PROTOCOL_VERSION_KEY);
}

/** The `_meta` of a request; empty when there is none or it is not an object. */
export function metaOf(params: JsonObject): JsonObject {
  const meta = Object.hasOwn(params, "_meta") ? params["_meta"] : undefined;
  return typeof meta === "object" && meta !== null && !Array.isArray(meta) ? (meta as JsonObject) : {};
}
