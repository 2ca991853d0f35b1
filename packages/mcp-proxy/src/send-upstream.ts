import type { IncomingMessage, ServerResponse } from "node:http";
import type { RawHeaders } from "./caller.ts";
import { requestHeaders } from "./forwarded-headers.ts";
import type { McpProxyParts } from "./mcp-proxy-parts.ts";
import type { Running } from "./running.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** A request of a client and the answer that it waits for. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface SendOptions {
  readonly running: Running;
  readonly body: Buffer | null;
  /** The client's own unless told. */
  readonly headers?: RawHeaders;
  readonly timeoutMs: number | null;
}

/**
 * Sends a request on to the server: same method, same path and query, and nothing of ours in it but who we
 * are.
 */
export function sendUpstream(
  { request }: Exchange,
  { settings, upstream, pseudonym }: McpProxyParts,
  { running, body, headers, timeoutMs }: SendOptions,
): Promise<UpstreamAnswer> {
  const { method = "", url = "", socket } = request;
  return upstream.send({
    method,
    target: upstreamTarget(url, settings.upstream),
    headers: requestHeaders(headers ?? request, {
      upstream: settings.upstream,
      remoteAddress: socket.remoteAddress ?? "unknown",
      via: `1.1 ${pseudonym}`,
      length: body?.byteLength ?? null,
    }),
    body,
    signal: running.signal,
    timeoutMs,
  });
}

/** Paths that mean the server's endpoint, wherever on its origin that is. */
const ENDPOINT_PATHS: ReadonlySet<string> = new Set(["/", "/mcp"]);

/**
 * The target on the server's origin. `/` and `/mcp` are its endpoint, when that has a path; all other paths
 * are the server's own: OAuth metadata and registration live beside the endpoint.
 */
export function upstreamTarget(target: string, { pathname }: URL): string {
  const cut = target.indexOf("?");
  const path = cut < 0 ? target : target.slice(0, cut);
  return pathname !== "/" && ENDPOINT_PATHS.has(path) ? `${pathname}${target.slice(path.length)}` : target;
}

/** Runs work in a scope, ends it when the client goes away, and lets go of the scope whatever happens. */
export async function whileRunning<Result>(
  running: Running,
  response: ServerResponse,
  work: () => Promise<Result>,
): Promise<Result> {
  const onClose = (): void => running.abandon();
  response.once("close", onClose);
  if (response.destroyed) running.abandon();
  try {
    return await work();
  } finally {
    response.off("close", onClose);
    running.release();
  }
}
