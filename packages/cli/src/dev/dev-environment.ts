import type { Terminal } from "../frame/terminal.ts";

/** What the command line of `svc-cli dev` sets of the server. */
export interface DevSettings {
  readonly environment: Terminal["environment"];
  readonly port: number;
  /** The first of three ports. */
  readonly adapterPort: number;
  /** Absolute path; null: a temporary folder, which goes with the server. */
  readonly dataDir: string | null;
  readonly mcpUrl: string | null;
  readonly agentId: string | null;
}

/** Variables that would lead the server elsewhere, or give it another key. */
const OWN = /^SVC_(?:URL|ORG_ID|AUTH|ROLE|(?:DATABASE_URL|API_KEY|BOOTSTRAP_API_KEY)(?:_FILE)?|\w+_LISTEN)$/;

/** The environment of the server: that of the user, without what would make it another server. */
export function devEnvironment({ environment, port, ...settings }: DevSettings): Record<string, string> {
  const { adapterPort, dataDir, mcpUrl, agentId } = settings;
  const adapter = (at: number): string => loopback(adapterPort === 0 ? 0 : adapterPort + at);
  const kept = Object.entries(environment).filter(([name]) => !OWN.test(name));
  const chosen = {
    SVC_LOG_LEVEL: environment["SVC_LOG_LEVEL"] ?? "warn",
    // svc-cli dev reads these lines.
    SVC_LOG_FORMAT: "json",
    // Most MCP clients of today name no session, and a policy of svc-cli init limits sessions.
    SVC_MCP_SESSION_FALLBACK: environment["SVC_MCP_SESSION_FALLBACK"] ?? "client",
    SVC_LISTEN: loopback(port),
    SVC_EXTPROC_LISTEN: adapter(0),
    SVC_MCP_LISTEN: adapter(1),
    SVC_CHECKGW_LISTEN: adapter(2),
    SVC_AUTH: "on",
    SVC_DATA_DIR: dataDir ?? "",
    ...(port === 0 ? {} : { SVC_PUBLIC_URL: `http://${loopback(port)}` }),
    ...(mcpUrl === null ? {} : { SVC_MCP_UPSTREAM_URL: mcpUrl }),
    ...(agentId === null ? {} : { SVC_AGENT_ID: agentId }),
  };
  return {
    ...Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    ...chosen,
  };
}

function loopback(port: number): string {
  return `127.0.0.1:${String(port)}`;
}
