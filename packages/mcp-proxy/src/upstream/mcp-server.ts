import type { IncomingMessage, ServerResponse } from "node:http";
import type { RawHeaders } from "../headers/caller.ts";
import { requestHeaders } from "../headers/forwarded-headers.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import type { PassedPath } from "../paths.ts";
import type { RunningCall } from "../kills/running-calls.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** A request of a client on a path that passes, and the answer that it waits for. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: PassedPath;
}

export interface SendOptions {
  readonly running: RunningCall;
  readonly body: Buffer | null;
  /** The client's own unless told. */
  readonly headers?: RawHeaders;
  readonly timeoutMs: number | null;
}

/** Sends a request on to the server: same method and query, and nothing of ours in it but who we are. */
export function sendUpstream(
  { request, path }: Exchange,
  { settings, upstream, pseudonym }: McpProxyParts,
  { running, body, headers, timeoutMs }: SendOptions,
): Promise<UpstreamAnswer> {
  const { method = "", socket } = request;
  return upstream.send({
    method,
    target: path.target,
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

/** Runs work in a scope, ends it when the client goes away, and lets go of the scope whatever happens. */
export async function whileRunning<Result>(
  running: RunningCall,
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
