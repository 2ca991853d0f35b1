import { canonicalJson } from "@svc/contract/canonical-json";
import type { JsonObject } from "@svc/contract/json-value";
import { startMcpProxy } from "../../mcp/mcp-proxy-process.ts";
import { send } from "../../support/api.ts";
import { startRecordingServer } from "../../support/recording-server.ts";
import { type Observed, passed, type Seam, type SeamCall } from "../seam.ts";

interface RpcCall {
  readonly id: number;
  readonly params: { readonly name: string; readonly arguments: JsonObject };
}

/** The MCP proxy before a server that keeps what arrives. */
export const mcp: Seam = {
  name: "MCP proxy",
  lacks: { cost: true, wouldBe: true },
  open: async (gatewayUrl) => {
    const arrived = new Map<number, string>();
    const upstream = await startRecordingServer(({ body }, response) => {
      const call = JSON.parse(body) as RpcCall;
      arrived.set(call.id, canonicalJson(call.params.arguments));
      const result = { content: [{ type: "text", text: "done" }] };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result }));
    });
    const upstreamUrl = `http://127.0.0.1:${String(upstream.port)}/mcp`;
    const proxy = await startMcpProxy({ gatewayUrl, upstreamUrl, env: { SVC_AGENT_ID: "" } });
    return {
      ask: async (call) => {
        const { body } = await send("POST", proxy.url, { body: rpcCall(call), headers: mcpHeaders(call) });
        return seenBy(body, arrived.get(call.index) ?? null);
      },
      close: async () => {
        await proxy.stop();
        await upstream.close();
      },
    };
  },
};

/** The body of a call; its place in the run is its id. */
export function rpcCall({ index, tool, args }: SeamCall): object {
  return { jsonrpc: "2.0", id: index, method: "tools/call", params: { name: tool, arguments: args } };
}

function mcpHeaders({ agent, session, namespace }: SeamCall): Record<string, string> {
  return {
    accept: "application/json, text/event-stream",
    "x-svc-agent-id": agent,
    ...(session === null ? {} : { "x-svc-session-id": session }),
    ...(namespace === null ? {} : { "x-svc-namespace": namespace }),
  };
}

interface RefusalData {
  readonly decision: string;
  readonly reason_code: string;
  readonly rule_id?: string;
}

function seenBy(answer: Readonly<Record<string, unknown>>, arrived: string | null): Observed {
  const error = answer["error"] as { readonly data: RefusalData } | undefined;
  if (error === undefined) return passed(arrived);
  const { decision, reason_code: reasonCode, rule_id: ruleId = null } = error.data;
  return { decision, reasonCode, ruleId, wouldBe: null, args: arrived };
}
