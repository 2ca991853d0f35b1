import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import type { Problem } from "@svc/contract/problem";
import { createEdgeServer, type EdgeServerOptions } from "../edge-server.ts";
import { type Listening, listen } from "../listen.ts";
import { readBody } from "../read-body.ts";
import { sendJson } from "../send-json.ts";

/** A listener under test, with what it reported. */
export interface Edge extends Listening {
  /** `METHOD target` of every request that reached the handler. */
  readonly handled: string[];
  readonly refused: Problem[];
  readonly errors: unknown[];
  /** Connections that the server holds at this moment. */
  readonly connections: () => Promise<number>;
}

/** Largest body that the echoing handler reads, in bytes. */
export const ECHO_LIMIT = 1_000;

/** Starts a listener. Its default handler answers with the size of the body. */
export async function startEdge(options: Partial<EdgeServerOptions> = {}): Promise<Edge> {
  const handled: string[] = [];
  const refused: Problem[] = [];
  const errors: unknown[] = [];
  const handle = options.handle ?? echo;
  const server = createEdgeServer({
    onError: (error) => errors.push(error),
    onRefused: (refusal) => refused.push(refusal),
    ...options,
    handle: (request, response) => {
      handled.push(`${String(request.method)} ${String(request.url)}`);
      return handle(request, response);
    },
  });
  const getConnections = promisify(server.getConnections.bind(server));
  const connections = (): Promise<number> => getConnections();
  return { ...(await listen(server, { host: "127.0.0.1", port: 0 })), handled, refused, errors, connections };
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request, ECHO_LIMIT);
  if (body.kind === "body") sendJson(response, 200, { size: body.bytes.length });
  else sendJson(response, 413, { kind: body.kind }, { connection: "close" });
}
