import { type ScriptedGateway, startScriptedGateway } from "../support/adapters/scripted-gateway.ts";
import { type CuttableLink, startCuttableLink } from "../support/proxies/cuttable-link.ts";
import { startMcpProxy } from "./mcp-proxy-process.ts";
import type { RunningMcpServer } from "./mcp-servers.ts";

/** A server behind the proxy, and what it depends on. */
export interface GovernedServer<Server extends RunningMcpServer = RunningMcpServer> {
  /** Address that clients are given. */
  readonly url: string;
  readonly server: Server;
  readonly gateway: ScriptedGateway;
  /** What leads from the proxy to the server. */
  readonly link: CuttableLink;
  readonly stop: () => Promise<void>;
}

/** Time to decide in milliseconds: short, so that a dead gateway does not delay the tests. */
const DECISION_TIMEOUT_MS = 500;

export async function startGovernedServer<Server extends RunningMcpServer>(
  start: () => Promise<Server>,
  env: Readonly<Record<string, string>> = {},
): Promise<GovernedServer<Server>> {
  const server = await start();
  const link = await startCuttableLink(server.url);
  const gateway = await startScriptedGateway();
  const proxy = await startMcpProxy({
    gatewayUrl: gateway.url,
    upstreamUrl: link.url,
    env: { SVC_DECISION_TIMEOUT_MS: String(DECISION_TIMEOUT_MS), ...env },
  }).catch(async (error: unknown) => {
    // No other code can stop the server that waits for it.
    await server.stop();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await proxy.stop("SIGKILL");
    await gateway.server.close();
    await link.close();
    await server.stop();
  };
  return { url: proxy.url, server, gateway, link, stop };
}
