import type { Decide } from "@svc/contract/decide";
import type { Verdict } from "@svc/contract/verdict";
import { createExtproc, type ExtprocOptions } from "../extproc.ts";
import type { Reporter } from "../reporter.ts";
import { DEFAULT_ROUTES } from "../routes/default-routes.ts";
import type { WireHeader } from "../wire/header-list.ts";
import type { BodyMode, WireRequest } from "../wire/processing-request.ts";

/** The output of a stream, in order. */
export type Sent =
  | { readonly kind: "answer"; readonly name: string; readonly response: Record<string, unknown> }
  | { readonly kind: "end" }
  | { readonly kind: "fail"; readonly details: string };

export interface PlayedCall {
  readonly sent: readonly Sent[];
  readonly found: readonly string[];
  /** Causes of requests that were refused before any of them was judged. */
  readonly unplanned: readonly string[];
  readonly defects: readonly unknown[];
  /** Decisions that were reported as not executed. */
  readonly notExecuted: readonly string[];
  /** Why its stream refused a request without a ruling. */
  readonly refused: readonly string[];
  send(message: WireRequest): void;
  halfClose(): void;
  cancel(): void;
  shutDown(): void;
}

export const ALLOW: Verdict = { decision: "allow", decision_id: "g.1", args_constrained: false };

/** Opens a stream of the adapter without gRPC. */
export function playCall(
  decide: Decide,
  options: Partial<ExtprocOptions> = {},
  metadata: ReadonlyMap<string, readonly string[]> = new Map(),
): PlayedCall {
  const sent: Sent[] = [];
  const found: string[] = [];
  const unplanned: string[] = [];
  const refused: string[] = [];
  const defects: unknown[] = [];
  const notExecuted: string[] = [];
  const reporter: Reporter = {
    ruled: () => {},
    refused: (cause) => refused.push(cause),
    found: (name) => found.push(name),
    unplanned: (cause, _reason, { method, path }) => unplanned.push(`${cause} ${method} ${path}`),
    defect: (error) => defects.push(error),
  };
  const open = createExtproc({
    table: DEFAULT_ROUTES,
    identity: { agentId: null, namespace: null },
    fallbackMode: "BUFFERED",
    maxBytes: { request: 1_000, response: 1_000 },
    limits: { collectMs: { request: 10_000, response: 10_000 }, judgeMs: 10_000 },
    reportNotExecuted: (id) => notExecuted.push(id),
    decide,
    reporter,
    ...options,
  });
  const stream = open(
    {
      send: (response) => {
        const [name = ""] = Object.keys(response);
        sent.push({ kind: "answer", name, response: response[name] as Record<string, unknown> });
      },
      end: () => sent.push({ kind: "end" }),
      fail: (details) => sent.push({ kind: "fail", details }),
    },
    metadata,
  );
  return {
    sent,
    found,
    unplanned,
    defects,
    notExecuted,
    refused,
    send: (message) => stream.onMessage(message),
    halfClose: () => stream.onHalfClose(),
    cancel: () => stream.onCancelled(),
    shutDown: () => stream.shutDown(),
  };
}

const REQUEST = {
  ":method": "POST",
  ":path": "/mcp",
  "content-type": "application/json",
  "x-svc-agent-id": "agent-1",
};

export interface HeadersOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly last?: boolean;
  /** Null for a proxy that says nothing of its mode. */
  readonly mode?: BodyMode | null;
}

/** The first message of a stream. */
export function requestHeaders({
  headers = {},
  last = false,
  mode = "BUFFERED",
}: HeadersOptions = {}): WireRequest {
  const list = Object.entries({ ...REQUEST, ...headers }).map(
    ([key, value]): WireHeader => ({ key, raw_value: Buffer.from(value) }),
  );
  return {
    request: "request_headers",
    request_headers: { headers: { headers: list }, end_of_stream: last },
    ...(mode === null ? {} : { protocol_config: { request_body_mode: mode, response_body_mode: mode } }),
  };
}

export function requestBody(text: string, last = true): WireRequest {
  return { request: "request_body", request_body: { body: Buffer.from(text), end_of_stream: last } };
}

export const TRAILERS: WireRequest = { request: "request_trailers", request_trailers: {} };

export const TOOLS_CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "t", arguments: { a: 1 } },
});
