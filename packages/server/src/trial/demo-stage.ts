import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { callsToTry } from "@svc/demo/calls-to-try";
import { renderCalls } from "@svc/demo/render-calls";
import { SHIPPED_ROUTES } from "@svc/demo/shipped-routes";
import { type RunningProxies, startProxies } from "@svc/demo/start-proxies";
import { startTools } from "@svc/demo/start-tools";
import type { Running } from "@svc/process/run-until-signal";
import { loadDemoPolicy, loadProxiesPolicy } from "../demo-policy.ts";
import type { RunningAdapters } from "../start/start-adapters.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of a demonstration in front of the adapters and behind them. */
export interface DemoStage extends Running {
  /**
   * Variables that the demonstration sets itself and that override the environment, so that its
   * printed commands work.
   */
  readonly env: Environment;
  /** The same for the MCP proxy alone. */
  readonly mcpEnv: Environment;
  loadPolicies(ports: ControlPlanePorts): Promise<void>;
  startProxies(options: {
    readonly env: Environment;
    readonly adapters: RunningAdapters;
  }): Promise<RunningProxies>;
  renderCalls(running: {
    readonly gatewayUrl: string;
    readonly adapters: RunningAdapters;
    readonly proxies: RunningProxies;
  }): string;
}

/** Starts the tools; the proxies come last, since they need the adapters. */
export async function openStage(print: (text: string) => void): Promise<DemoStage> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-demo-"));
  const tools = await startTools((line) => print(`${line}\n`));
  return {
    env: {
      SVC_AUTH: "off",
      SVC_DATA_DIR: dataDir,
      SVC_DATABASE_URL: "",
      SVC_AGENT_ID: "",
      SVC_NAMESPACE: "",
      SVC_EXTPROC_CONFIG: SHIPPED_ROUTES,
    },
    mcpEnv: { SVC_MCP_UPSTREAM_URL: tools.mcpUrl, SVC_MCP_ID: "", SVC_AGENT_ID: "demo-agent" },
    loadPolicies: async (ports) => {
      await loadDemoPolicy(ports);
      await loadProxiesPolicy(ports);
    },
    startProxies: async ({ env, adapters }) => {
      const peers = {
        checkgwPort: portOf(adapters.checkgwUrl),
        extprocPort: portOf(`http://${adapters.extprocAddress}`),
        backendPort: tools.backendPort,
      };
      const proxies = await startProxies({ env, peers, folder: dataDir });
      proxies.onEnded((name, output) => print(`${name} has ended: ${output}\n`));
      return proxies;
    },
    renderCalls: ({ gatewayUrl, adapters: { checkgwUrl, mcpProxyUrl }, proxies: { envoy, nginx } }) => {
      const mcpUrl = `${mcpProxyUrl ?? ""}/mcp`;
      return `\n${renderCalls(callsToTry({ gatewayUrl, checkgwUrl, mcpUrl, envoy, nginx }))}\n`;
    },
    close: async () => {
      await tools.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
