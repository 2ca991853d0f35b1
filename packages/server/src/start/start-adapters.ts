import type { Running } from "@svc/process/run-until-signal";
import { nameVariable } from "../settings/name-variable.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The adapters that run in this process. */
export interface RunningAdapters extends Running {
  readonly checkgwUrl: string;
  /** `host:port`, gRPC. */
  readonly extprocAddress: string;
  /** Null when it was not started, because no MCP server is configured. */
  readonly mcpProxyUrl: string | null;
}

/**
 * Starts every adapter that has something to do. Each is loaded only here, because gRPC alone takes longer to
 * load than the gateway takes to start. @throws the first fault; nothing is left running then.
 */
export async function startAdapters(env: Environment, mcpEnv: Environment): Promise<RunningAdapters> {
  const parts: Running[] = [];
  const started = async <Part extends Running>(starting: Promise<Part>): Promise<Part> => {
    const part = await starting;
    parts.push(part);
    return part;
  };
  const close = async (): Promise<void> => {
    await Promise.all(parts.map((part) => part.close()));
  };
  const starting = [
    started(startCheckgw(env)),
    started(startExtproc(env)),
    hasUpstream(mcpEnv) ? started(startMcpProxy(mcpEnv)) : Promise.resolve(null),
  ] as const;
  try {
    const [checkgw, extproc, mcpProxy] = await Promise.all(starting);
    return {
      checkgwUrl: checkgw.url,
      extprocAddress: extproc.address,
      mcpProxyUrl: mcpProxy?.url ?? null,
      close,
    };
  } catch (error) {
    // The others may still be starting.
    await Promise.allSettled(starting);
    await close();
    throw error;
  }
}

function hasUpstream(env: Environment): boolean {
  return (env["SVC_MCP_UPSTREAM_URL"] ?? "") !== "";
}

async function startCheckgw(env: Environment) {
  const checkgw = await import("@svc/checkgw/start-checkgw");
  const variables = ["SVC_CHECKGW_LISTEN", "SVC_CHECKGW_METRICS_LISTEN"] as const;
  return nameVariable({ variables, env }, checkgw.startCheckgw(env));
}

async function startExtproc(env: Environment) {
  const extproc = await import("@svc/extproc/start-extproc");
  const variables = ["SVC_EXTPROC_LISTEN", "SVC_EXTPROC_METRICS_LISTEN"] as const;
  return nameVariable({ variables, env }, extproc.startExtproc(env));
}

async function startMcpProxy(env: Environment) {
  const mcpProxy = await import("@svc/mcp-proxy/start-mcp-proxy");
  const variables = ["SVC_MCP_LISTEN", "SVC_MCP_METRICS_LISTEN"] as const;
  return nameVariable({ variables, env }, mcpProxy.startMcpProxy(env));
}
