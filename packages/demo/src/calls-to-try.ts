import type { DemoProxy } from "./start-proxies.ts";

/** The addresses of the demonstration. */
export interface Doors {
  readonly gatewayUrl: string;
  readonly checkgwUrl: string;
  /** Address that MCP clients are given. */
  readonly mcpUrl: string;
  readonly envoy: DemoProxy;
  readonly nginx: DemoProxy;
}

/** One command, and what comes back. */
export interface CallToTry {
  readonly outcome: "allowed" | "denied" | "stopped";
  readonly command: string;
  readonly status: number;
  /** A literal part of the body. */
  readonly shows: string;
}

export interface SeamToTry {
  readonly title: string;
  /** Empty when something is missing; `missing` says what. */
  readonly calls: readonly CallToTry[];
  readonly missing?: string;
}

/** An allowed and a denied call for each adapter, and finally the effect of a kill switch on them. */
export function callsToTry(doors: Doors): readonly SeamToTry[] {
  return [
    executeCalls(doors.gatewayUrl),
    mcpCalls(doors.mcpUrl),
    checkCalls(doors.checkgwUrl),
    proxyCalls("Envoy, which asks svc-extproc", doors.envoy, envoyCalls),
    proxyCalls(
      "nginx, which asks svc-checkgw about method and path, without the body",
      doors.nginx,
      nginxCalls,
    ),
    killCalls(doors),
  ];
}

function executeCalls(url: string): SeamToTry {
  const call = (tool: string, args: string): string =>
    post(
      `${url}/api/v1/gateway/execute`,
      `{"agent_id":"demo-agent","session_id":"s-1","tool":"${tool}","args":${args}}`,
    );
  return {
    title: "the gateway itself",
    calls: [
      allowed(call("payments.refund", '{"amount":20}'), '"decision":"allow"'),
      denied(200, call("db.drop_table", '{"table":"orders"}'), '"reason_code":"tool_denied"'),
    ],
  };
}

function mcpCalls(url: string): SeamToTry {
  return {
    title: "svc-mcp-proxy, before a small MCP server",
    calls: [
      allowed(toolsCall(url, "payments.refund", '{"amount":20}'), '"text":"refunded 20 USD"'),
      denied(200, toolsCall(url, "db.drop_table", '{"table":"orders"}'), '"reason_code":"tool_denied"'),
    ],
  };
}

function toolsCall(url: string, tool: string, args: string): string {
  const params = `{"name":"${tool}","arguments":${args}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  const accept = "accept: application/json, text/event-stream";
  return `${post(url, body)} -H '${accept}' -H 'x-svc-session-id: s-1'`;
}

function checkCalls(url: string): SeamToTry {
  const caller = "-H 'x-svc-agent-id: demo-agent' -H 'x-svc-session-id: s-1'";
  const call = (tool: string): string => `curl -s ${url}/check ${caller} -H 'x-svc-tool: ${tool}'`;
  return {
    title: "svc-checkgw, as a proxy asks it",
    calls: [
      allowed(call("crm.read"), '"decision":"allow"'),
      denied(403, call("db.drop_table"), '"reason_code":"tool_denied"'),
    ],
  };
}

function proxyCalls(
  title: string,
  proxy: DemoProxy,
  callsOf: (url: string) => readonly CallToTry[],
): SeamToTry {
  return proxy.kind === "running"
    ? { title, calls: callsOf(proxy.url) }
    : { title, calls: [], missing: proxy.what };
}

function envoyCalls(url: string): readonly CallToTry[] {
  return [
    allowed(post(`${url}/refunds`, '{"amount":20}'), '"ran":"POST /refunds"'),
    denied(403, post(`${url}/refunds`, '{"amount":5000}'), '"rule_id":"large-refund"'),
  ];
}

/** An auth hook does not see the body, so the policy cannot know that the refund is small. */
function nginxCalls(url: string): readonly CallToTry[] {
  return [
    allowed(`curl -s ${url}/orders`, '"ran":"GET /orders"'),
    denied(403, post(`${url}/refunds`, '{"amount":20}'), '"rule_id":"large-refund"'),
  ];
}

function killCalls({ gatewayUrl, mcpUrl }: Doors): SeamToTry {
  const target = '{"scope":"agent","target_id":"demo-agent","reason":"drill"';
  const body = `${target},"activated_by":"me","ttl_seconds":60}`;
  const killed = { outcome: "stopped", status: 201, shows: '"enforced":true' } as const;
  return {
    title: "a kill switch, for a minute: every call of demo-agent is denied",
    calls: [
      { ...killed, command: post(`${gatewayUrl}/v1/kill-switch`, body) },
      denied(200, toolsCall(mcpUrl, "payments.refund", '{"amount":20}'), '"reason_code":"kill_switch"'),
    ],
  };
}

function allowed(command: string, shows: string): CallToTry {
  return { outcome: "allowed", command, status: 200, shows };
}

function denied(status: number, command: string, shows: string): CallToTry {
  return { outcome: "denied", command, status, shows };
}

function post(url: string, body: string): string {
  return `curl -s ${url} -H 'content-type: application/json' -d '${body}'`;
}
