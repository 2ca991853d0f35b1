import type { Problem } from "@svc/contract/problem";
import { COMMON_HEADERS } from "@svc/http-edge/send-json";
import type { ApiContext } from "../api-context.ts";

/** A JSON answer, which must not be cached. */
export function json(
  context: ApiContext,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  const type = { "content-type": "application/json" };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...commonHeaders(context), ...type, ...headers },
  });
}

/** An answer for people at a terminal. */
export function plainText(
  context: ApiContext,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Response {
  const type = { "content-type": "text/plain; charset=utf-8" };
  return new Response(text, { status, headers: { ...commonHeaders(context), ...type, ...headers } });
}

/** An error answer. When the body was not read, the connection cannot be reused, so it is closed. */
export function problemAnswer(
  context: ApiContext,
  problem: Problem,
  headers: Record<string, string> = {},
): Response {
  const unread = context.env.incoming.readableEnded ? {} : { connection: "close" };
  const all = {
    ...commonHeaders(context),
    "content-type": "application/problem+json",
    ...unread,
    ...headers,
  };
  return new Response(JSON.stringify({ ...problem, request_id: context.var.requestId }), {
    status: problem.status,
    headers: all,
  });
}

function commonHeaders(context: ApiContext): Record<string, string> {
  return { ...COMMON_HEADERS, "x-request-id": context.var.requestId };
}
