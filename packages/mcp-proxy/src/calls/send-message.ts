import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { sendJson } from "@svc/http-edge/send-json";
import type { RpcId } from "@svc/tool-calls/mcp-message";
import { DENIED, rpcError } from "@svc/tool-calls/rpc-error";

/** Why a request is refused, as its client gets it. */
export interface HttpFault {
  readonly status: number;
  readonly message: string;
  /** The JSON-RPC error code; DENIED when absent. */
  readonly code?: number;
  /** Null or absent when the id is unknown. */
  readonly id?: RpcId | null;
  /** The methods of the path, when the method is the fault. */
  readonly allow?: string;
}

/** Answers with an error status, for a request that has no id or whose id is unknown. */
export function sendFault(response: ServerResponse, { status, message, code, id, allow }: HttpFault): void {
  const headers = allow === undefined ? {} : { allow };
  send(response, rpcError(id ?? null, code ?? DENIED, message), { status, headers });
}

/**
 * Answers with one message. If the body was not read to its end, the connection closes: it cannot be reused.
 */
export function sendMessage(response: ServerResponse, document: object, status = 200): void {
  send(response, document, { status, headers: {} });
}

function send(
  response: ServerResponse,
  document: object,
  { status, headers }: { readonly status: number; readonly headers: OutgoingHttpHeaders },
): void {
  const unread = response.req.complete ? {} : { connection: "close" };
  sendJson(response, status, document, { ...headers, ...unread });
}
