import type { RunningAdapters } from "../start/start-adapters.ts";

export interface Addresses {
  readonly url: string;
  readonly adapters: RunningAdapters;
  readonly dataDir: string;
  /** Whether the demonstration policy was loaded by this start. */
  readonly loaded: boolean;
}

/** The last line of every start. From here on, everything listed above it answers. */
export const STOP_LINE = "Ctrl-C stops.\n";

/** Renders the addresses and the data directory. */
export function renderAddresses({ url, adapters, dataDir, loaded }: Addresses): string {
  const { checkgwUrl, extprocAddress, mcpProxyUrl } = adapters;
  const withoutServer = "not started: set SVC_MCP_UPSTREAM_URL, and SVC_AGENT_ID to name the agent";
  const lines = [
    `gateway and control endpoints  ${url}`,
    `svc-extproc (Envoy, gRPC)      ${extprocAddress}`,
    `svc-mcp-proxy (MCP clients)    ${mcpProxyUrl === null ? withoutServer : `${mcpProxyUrl}/mcp`}`,
    `svc-checkgw (HTTP auth hooks)  ${checkgwUrl}`,
    `store, keys and checkpoints    ${dataDir}${loaded ? "  (demonstration policy loaded)" : ""}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Renders three commands to copy. */
export function renderThreeCalls(url: string): string {
  const lines = [
    "",
    "a call that is allowed:",
    `  ${post(`${url}/api/v1/gateway/execute`, execute("payments.refund", '{"amount":20}'))}`,
    "a call that is denied:",
    `  ${post(`${url}/api/v1/gateway/execute`, execute("db.drop_table", '{"table":"orders"}'))}`,
    "a kill switch for one minute (then repeat the first call):",
    `  ${post(`${url}/api/v1/kill-switch`, KILL_SWITCH)}`,
    "",
    "docs/POLICY.md shows how to write and load your own policy.",
    "npm start -- --help lists the settings.",
    "npm start -- --demo adds an MCP server, Envoy and nginx, and calls for each.",
  ];
  return `${lines.join("\n")}\n`;
}

const KILL_SWITCH =
  '{"scope":"agent","target_id":"demo-agent","reason":"drill","activated_by":"me","ttl_seconds":60}';

function execute(tool: string, args: string): string {
  return `{"agent_id":"demo-agent","session_id":"s-1","tool":"${tool}","args":${args}}`;
}

function post(url: string, body: string): string {
  return `curl -s ${url} -H 'content-type: application/json' -d '${body}'`;
}
