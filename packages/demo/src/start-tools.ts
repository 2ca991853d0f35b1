import { createEdgeServer, type Handle } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { demoBackend } from "./demo-backend.ts";
import { demoMcpServer } from "./demo-mcp-server.ts";

/** Milliseconds that calls in flight get at the end: none of them takes long. */
const CLOSE_GRACE_MS = 500;

/** What the judged calls are for: simulated tools that report every call that reaches them. */
export interface RunningTools {
  /** Address of the MCP server, as a client would be given it. */
  readonly mcpUrl: string;
  /** Port of the HTTP service behind the reverse proxies. */
  readonly backendPort: number;
  close(): Promise<void>;
}

/** Starts both on free ports of loopback. `tell` gets a line for each call that ran. */
export async function startTools(tell: (line: string) => void): Promise<RunningTools> {
  const serve = (handle: Handle) =>
    listen(createEdgeServer({ handle, onError: (error) => tell(`demonstration: ${String(error)}`) }), {
      host: "127.0.0.1",
      port: 0,
    });
  const mcp = await serve(demoMcpServer(tell));
  const backend = await serve(demoBackend(tell));
  return {
    mcpUrl: `${mcp.url}/mcp`,
    backendPort: backend.port,
    close: async () => {
      await Promise.all([mcp.close(CLOSE_GRACE_MS), backend.close(CLOSE_GRACE_MS)]);
    },
  };
}
