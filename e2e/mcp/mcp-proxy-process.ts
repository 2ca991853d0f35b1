import { join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { adapterRole } from "../support/adapters/unrefused-adapter.ts";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";

const MAIN = join(import.meta.dirname, "..", "..", "packages", "mcp-proxy", "src", "main.ts");

export interface RunningMcpProxy extends RunningProcess {
  /** Address that clients are given. */
  readonly url: string;
}

export interface McpProxyOptions {
  readonly gatewayUrl: string;
  readonly upstreamUrl: string;
  /** Without one, a free port. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the proxy binary from its sources before a server, asking the gateway at the given address. */
export async function startMcpProxy({
  gatewayUrl,
  upstreamUrl,
  port: wanted,
  env,
}: McpProxyOptions): Promise<RunningMcpProxy> {
  const port = wanted ?? (await findFreePort());
  const role = await adapterRole(gatewayUrl, env);
  const child = await startProcess(process.execPath, [MAIN], {
    ready: { port },
    env: {
      SVC_GATEWAY_URL: gatewayUrl,
      SVC_MCP_UPSTREAM_URL: upstreamUrl,
      SVC_MCP_LISTEN: `127.0.0.1:${String(port)}`,
      SVC_AGENT_ID: "agent-1",
      ...role.variables,
      ...env,
    },
  });
  return role.watched({ ...child, url: `http://127.0.0.1:${String(port)}/mcp` });
}
