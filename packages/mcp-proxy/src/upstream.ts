import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { CONNECT_TIMEOUT_MS } from "./limits.ts";

/** Why there is no answer of the server. Told to clients: it says nothing of addresses or certificates. */
export interface UpstreamFailure {
  readonly code: "upstream_unreachable" | "upstream_timeout" | "upstream_invalid";
  readonly reason: string;
  /** True only when no byte of the request can have arrived. */
  readonly notSent: boolean;
}

export type UpstreamAnswer =
  | { readonly kind: "answer"; readonly incoming: IncomingMessage }
  | { readonly kind: "failed"; readonly failure: UpstreamFailure };

export interface UpstreamRequest {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn, complete. */
  readonly headers: string[];
  readonly body: Buffer | null;
  readonly signal: AbortSignal;
  /** Milliseconds until the head of the answer; null: any time. */
  readonly timeoutMs: number | null;
}

/** The one server behind the proxy. Sends each request once, follows no redirect, never rejects. */
export interface Upstream {
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  close(): void;
}

/**
 * Milliseconds that an idle connection is kept: below the 5 s after which common servers close theirs,
 * because a request sent into a closing connection is lost and must not be repeated.
 */
const IDLE_CONNECTION_MS = 3_000;

export function createUpstream({ protocol, hostname, port }: URL): Upstream {
  const options = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
  const isSecure = protocol === "https:";
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const start = isSecure ? httpsRequest : httpRequest;
  const host = hostname.replace(/^\[|\]$/g, "");
  return {
    send: ({ method, target, headers, body, signal, timeoutMs }) => {
      const fixed = { agent, host, port: port === "" ? null : Number(port), setHost: false };
      const outgoing = start({ ...fixed, method, path: target, headers, signal });
      const answer = answerTo(outgoing, timeoutMs, isSecure ? "secureConnect" : "connect");
      outgoing.end(body ?? undefined);
      return answer;
    },
    close: () => agent.destroy(),
  };
}

function answerTo(
  outgoing: ClientRequest,
  timeoutMs: number | null,
  connectEvent: "connect" | "secureConnect",
): Promise<UpstreamAnswer> {
  return new Promise((resolve) => {
    let isConnected = false;
    let isLate = false;
    const expire = (): void => {
      isLate = true;
      outgoing.destroy();
    };
    const connecting = setTimeout(expire, CONNECT_TIMEOUT_MS);
    const answering = timeoutMs === null ? undefined : setTimeout(expire, timeoutMs);
    const connected = (): void => {
      isConnected = true;
      clearTimeout(connecting);
    };
    const finish = (answer: UpstreamAnswer): void => {
      clearTimeout(connecting);
      clearTimeout(answering);
      resolve(answer);
    };
    outgoing.on("socket", (socket: Socket) => {
      if (socket.connecting) socket.once(connectEvent, connected);
      else connected();
    });
    outgoing.on("response", (incoming) => finish({ kind: "answer", incoming }));
    // A later failure shows on the answer's own stream.
    outgoing.on("error", () => finish({ kind: "failed", failure: failureOf({ isLate, isConnected }) }));
    outgoing.on("close", () => finish({ kind: "failed", failure: failureOf({ isLate, isConnected }) }));
  });
}

function failureOf({ isLate, isConnected }: { isLate: boolean; isConnected: boolean }): UpstreamFailure {
  const notSent = !isConnected;
  if (isLate && isConnected)
    return { code: "upstream_timeout", reason: "The MCP server did not answer in time.", notSent };
  const reason = isConnected
    ? "The MCP server closed the connection without an answer; the call may have run."
    : "The MCP server cannot be reached; nothing ran.";
  return { code: "upstream_unreachable", reason, notSent };
}
