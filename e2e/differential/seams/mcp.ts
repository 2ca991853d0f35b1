import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { startMcpProxy } from "../../mcp/mcp-proxy-process.ts";
import { type Responder, startRecordingServer } from "../../support/adapters/recording-server.ts";
import { send } from "../../support/server/api.ts";
import { type Observed, passed, type Seam, type SeamCall, wireText } from "../seam.ts";
import { callerHeaders } from "./caller-headers.ts";

interface RpcCall {
  readonly id: number;
  readonly params: { readonly name: string; readonly arguments: JsonObject };
}

/** The MCP proxy before a server that keeps what arrives. */
export const mcp: Seam = {
  name: "MCP proxy",
  lacks: { cost: true, wouldBe: true },
  open: async (gatewayUrl, env) => {
    const arrived = new Map<number, string>();
    const answerCall: Responder = ({ method, body }, response) => {
      if (method === "GET") return void response.writeHead(NO_STREAMS).end();
      const call = JSON.parse(body) as RpcCall;
      arrived.set(call.id, canonicalJson(call.params.arguments));
      const result = { content: [{ type: "text", text: "done" }] };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result }));
    };
    const upstream = await startRecordingServer(answerCall);
    const upstreamUrl = `http://127.0.0.1:${String(upstream.port)}/mcp`;
    const proxy = await startMcpProxy({ gatewayUrl, upstreamUrl, env: { SVC_AGENT_ID: "", ...env } });
    await switchesKnown(proxy.url);
    return {
      ask: async (call) => {
        const { body } = await send("POST", proxy.url, {
          body: wireText(rpcCall(call)),
          headers: mcpHeaders(call),
        });
        return seenBy(body, arrived.get(call.index) ?? null);
      },
      close: async () => {
        await proxy.stop();
        await upstream.close();
      },
    };
  },
};

/** What a server without streams of its own answers to GET. */
const NO_STREAMS = 405;

/** Longest wait in milliseconds for the proxy to read the list of kill switches. */
const SWITCHES_TIMEOUT_MS = 10_000;

/**
 * Until the proxy has read the list of switches for the first time, all of them are new to it, and a new
 * switch of any namespace ends running calls that name none. It lets streams be resumed from then on only.
 */
async function switchesKnown(url: string): Promise<void> {
  const headers = { accept: "text/event-stream", "last-event-id": "1", ...callerHeaders(NOBODY) };
  const deadline = performance.now() + SWITCHES_TIMEOUT_MS;
  while ((await fetch(url, { headers })).status !== NO_STREAMS) {
    if (performance.now() > deadline) throw new Error("the proxy does not read the list of switches");
  }
}

const NOBODY = { agent: "nobody", session: null, namespace: "default" };

/** The body of a call; its place in the run is its id. */
export function rpcCall({ index, tool, args }: SeamCall): object {
  return { jsonrpc: "2.0", id: index, method: "tools/call", params: { name: tool, arguments: args } };
}

function mcpHeaders(call: SeamCall): Record<string, string> {
  return { accept: "application/json, text/event-stream", ...callerHeaders(call) };
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
