import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback, portOf } from "@svc/decision-client/testing/faulty-gateway";

/** One request as the MCP server got it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export type Script = (seen: Seen, response: ServerResponse) => void;

/** A scripted MCP server that keeps what it got. */
export interface McpServerStub {
  readonly url: string;
  readonly seen: Seen[];
  /** Connections of requests that ended before their answer did. */
  readonly aborted: Seen[];
  script: Script;
  close(): Promise<void>;
}

/** Answers every request with its own params as the result. */
export const echo: Script = ({ body }, response) => {
  const { id, params = {} } = JSON.parse(body === "" ? "{}" : body) as { id?: unknown; params?: object };
  if (id === undefined) response.writeHead(202).end();
  else sendAnswer(response, { jsonrpc: "2.0", id, result: params });
};

export function sendAnswer(response: ServerResponse, document: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
}

export async function startMcpServerStub(script: Script = echo): Promise<McpServerStub> {
  const seen: Seen[] = [];
  const aborted: Seen[] = [];
  const stub = { seen, aborted, script };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers, rawHeaders } = request;
      const one = { method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString("utf8") };
      seen.push(one);
      response.on("close", () => {
        if (!response.writableFinished) aborted.push(one);
      });
      stub.script(one, response);
    });
  });
  const close = await listenOnLoopback(server);
  return Object.assign(stub, { url: `http://127.0.0.1:${String(portOf(server))}`, close });
}
