import { type Problem, problem } from "@svc/contract/problem";
import type { Refusal } from "@svc/control-plane/refusal";
import { COMMON_HEADERS, newRequestId } from "@svc/http-edge/send-json";
import type { ApiContext } from "../http-types.ts";

/** A JSON answer; nothing here may be cached. */
export function json(
  _context: ApiContext,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  const all = { ...COMMON_HEADERS, "content-type": "application/json", ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** An error answer. A body that was not read makes the connection useless, so it is closed. */
export function problemAnswer(context: ApiContext, refusal: Problem | Refusal): Response {
  const body = "kind" in refusal ? ofRefusal(refusal) : refusal;
  const unread = context.env.incoming.readableEnded ? {} : { connection: "close" };
  const requestId = newRequestId();
  const headers = {
    ...COMMON_HEADERS,
    "content-type": "application/problem+json",
    "x-request-id": requestId,
    ...unread,
  };
  return new Response(JSON.stringify({ ...body, request_id: requestId }), { status: body.status, headers });
}

function ofRefusal({ code, detail, errors }: Refusal): Problem {
  return problem(code, detail, errors === undefined ? {} : { errors });
}
