import type { OutgoingHttpHeaders } from "node:http";
import { type Problem, problem } from "@svc/contract/problem";
import { newRequestId } from "./request-id.ts";

/** Headers of every answer. They forbid caching, sniffing and framing. */
export const COMMON_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/** The 500 of a fault, of which only the log says more. */
export const FAILED = problem("internal_error", "the request failed inside the server");

/** A complete answer to one request. */
export interface Answer {
  readonly status: number;
  readonly text: string | Buffer;
  readonly headers: OutgoingHttpHeaders;
}

const JSON_TYPE = { "content-type": "application/json" } as const;

export function jsonAnswer(status: number, body: unknown, headers?: OutgoingHttpHeaders): Answer {
  const all = headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers };
  return { status, text: JSON.stringify(body), headers: all };
}

/** An error answer with the id that log lines about the request have. */
export function problemAnswer(refusal: Problem, headers: OutgoingHttpHeaders = {}): Answer {
  const requestId = refusal.request_id ?? newRequestId();
  const type = { "content-type": "application/problem+json", "x-request-id": requestId };
  const text = JSON.stringify({ ...refusal, request_id: requestId });
  return { status: refusal.status, text, headers: { ...type, ...headers } };
}

/** All headers of an answer, but for those that frame it on its connection. */
export function headersOf({ text, headers }: Answer): OutgoingHttpHeaders {
  return { ...COMMON_HEADERS, "content-length": Buffer.byteLength(text), ...headers };
}
