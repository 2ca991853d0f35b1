import type { IncomingMessage, ServerResponse } from "node:http";
import type { RawHeaders } from "../headers/caller.ts";
import { requestHeaders } from "../headers/forwarded-headers.ts";
import type { RunningCall } from "../kills/running-calls.ts";
import type { PassedPath } from "../paths.ts";
import type { Upstream, UpstreamAnswer } from "./upstream.ts";

/** A client's request on a path that passes, and the response that the client waits for. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: PassedPath;
}

export interface SendOptions {
  readonly running: RunningCall;
  readonly body: Buffer | null;
  /** In place of the client's own headers. */
  readonly headers?: RawHeaders;
  /** Milliseconds until the head of the answer; null: any time. */
  readonly timeoutMs: number | null;
}

/** The MCP server behind the proxy, as the proxy's own code sends to it. */
export interface McpServer {
  /**
   * Sends a request on with its method and query. The proxy adds only the headers that name
   * itself. Never rejects.
   */
  send(exchange: Exchange, options: SendOptions): Promise<UpstreamAnswer>;
  /** Whether a request has passed this proxy before: its server leads back to it. */
  hasSent(request: IncomingMessage): boolean;
}

export interface McpServerOptions {
  readonly url: URL;
  readonly upstream: Upstream;
  /** The proxy's name in the Via header. It must differ between processes. */
  readonly pseudonym: string;
}

export function createMcpServer({ url, upstream, pseudonym }: McpServerOptions): McpServer {
  return {
    send: ({ request, path }, { running, body, headers, timeoutMs }) => {
      const { method = "", socket } = request;
      return upstream.send({
        method,
        target: path.target,
        headers: requestHeaders(headers ?? request, {
          upstream: url,
          remoteAddress: socket.remoteAddress ?? "unknown",
          via: `1.1 ${pseudonym}`,
          length: body?.byteLength ?? null,
        }),
        body,
        signal: running.signal,
        timeoutMs,
      });
    },
    hasSent: ({ headers }) => headers.via?.includes(pseudonym) === true,
  };
}
