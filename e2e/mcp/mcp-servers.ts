import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { findFreePort } from "@svc/process/free-port";
import { startProcess } from "../support/processes/child-process.ts";

/** A real MCP server on loopback. */
export interface RunningMcpServer {
  /** Address of its endpoint. */
  readonly url: string;
  stop(): Promise<unknown>;
}

const EVERYTHING = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);

/**
 * The reference server of the eras with sessions, in a process of its own. Its tool `echo` takes `message`.
 */
export async function startEverythingServer(): Promise<RunningMcpServer> {
  const port = await findFreePort();
  const child = await startProcess(process.execPath, [EVERYTHING, "streamableHttp"], {
    ready: { port },
    env: { PORT: String(port) },
  });
  return { url: `http://127.0.0.1:${String(port)}/mcp`, stop: () => child.stop("SIGKILL") };
}

const REGION = { type: "string", "x-mcp-header": "Region" } as const;

/**
 * A server of both eras, without sessions. `echo` takes `message` and answers with it, and with its `region`,
 * which clients of the stateless era repeat in a header; `ran` counts its calls.
 */
export async function startDualEraServer(): Promise<RunningMcpServer & { ran(): number }> {
  let ran = 0;
  const running = await serveBothEras(() => {
    const server = new McpServer({ name: "dual", version: "1.0.0" });
    registerEcho(server, () => {
      ran += 1;
    });
    return server;
  });
  return { ...running, ran: () => ran };
}

/** Gives a server the tool `echo`, and tells when it is called. */
export function registerEcho(server: McpServer, onCall: () => void): void {
  const properties = { message: { type: "string" }, region: REGION } as const;
  const inputSchema = fromJsonSchema<{ message: string; region?: string }>({
    type: "object",
    properties,
    required: ["message"],
  });
  server.registerTool("echo", { description: "Repeats", inputSchema }, ({ message, region }) => {
    onCall();
    return {
      content: [{ type: "text", text: `Echo: ${message}${region === undefined ? "" : ` in ${region}`}` }],
    };
  });
}

/** Serves both eras, without sessions: a server is made for each request. */
export async function serveBothEras(make: () => McpServer): Promise<RunningMcpServer> {
  const serve = toNodeHandler(createMcpHandler(make));
  const server = createServer((request, response) => {
    void serve(request as Parameters<typeof serve>[0], response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
