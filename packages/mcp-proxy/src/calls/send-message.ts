import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RpcId } from "@svc/tool-calls/mcp-message";
import { DENIED, rpcError } from "@svc/tool-calls/mcp-refusal";
import { sendJson } from "@svc/http-edge/send-json";

/** A request that goes no further, whatever it asks for. */
export interface HttpFault {
  readonly status: number;
  readonly message: string;
  /** DENIED unless told. */
  readonly code?: number;
  /** Null or absent: unknown. */
  readonly id?: RpcId | null;
  /** Methods that the path has, where that is the fault. */
  readonly allow?: string;
}

/** Answers a request with a status of its own: nobody waits for the answer to an id, or the id is unknown. */
export function sendFault(response: ServerResponse, { status, message, code, id, allow }: HttpFault): void {
  const headers = allow === undefined ? {} : { allow };
  send(response, rpcError(id ?? null, code ?? DENIED, message), { status, headers });
}

/**
 * Answers with one message of ours. A connection whose body was not read to its end cannot carry another
 * request.
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
