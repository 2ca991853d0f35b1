import { afterAll, beforeAll, expect, it } from "vitest";
import { startMcpProxy } from "../../mcp/mcp-proxy-process.ts";
import { startCheckgw } from "../../support/adapters/checkgw-process.ts";
import { ALLOW, verdict } from "../../support/adapters/gateway-verdicts.ts";
import {
  answerFromBackend,
  type RecordingServer,
  startRecordingServer,
} from "../../support/adapters/recording-server.ts";
import type { RunningProcess } from "../../support/processes/child-process.ts";
import { sendRaw } from "../../support/requests/raw-http.ts";
import { startServer } from "../../support/server/server-process.ts";

const ALIASES = [
  "Transfer_Encoding: chunked",
  "Transfer.Encoding: chunked",
  "Content_Length: 0",
  "Keep_Alive: timeout=9",
  "Proxy_Connection: close",
];

const MCP_PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

let gateway: RecordingServer;
let upstream: RecordingServer;
const started: RunningProcess[] = [];
const ports = new Map<string, number>();
beforeAll(async () => {
  gateway = await startRecordingServer(verdict(ALLOW));
  upstream = await startRecordingServer(answerFromBackend);
  const gatewayUrl = `http://127.0.0.1:${String(gateway.port)}`;
  const server = await startServer();
  const checkgw = await startCheckgw(gatewayUrl);
  const mcp = await startMcpProxy({
    gatewayUrl,
    upstreamUrl: `http://127.0.0.1:${String(upstream.port)}/mcp`,
  });
  started.push(server, checkgw, mcp);
  ports.set("svc-server", Number(new URL(server.url).port));
  ports.set("svc-checkgw", checkgw.port);
  ports.set("svc-mcp-proxy", Number(new URL(mcp.url).port));
});
afterAll(async () => {
  for (const process of started) await process.stop("SIGKILL");
  await gateway?.close();
  await upstream?.close();
});

// proves ADP-09
it.each([
  { program: "svc-server", method: "GET", target: "/healthz" },
  { program: "svc-checkgw", method: "GET", target: "/check" },
  { program: "svc-mcp-proxy", method: "POST", target: "/mcp", body: MCP_PING },
])("$program refuses header names that fold to framing headers", async ({ program, ...request }) => {
  const port = ports.get(program) ?? 0;
  for (const alias of ALIASES) {
    const { status, body } = await sendRaw(port, { ...request, headers: [alias] });
    expect([alias, status]).toEqual([alias, 400]);
    expect(body).toContain("invalid_header");
  }
  expect(gateway.requests.filter(({ url }) => url.includes("execute"))).toEqual([]);
  expect(upstream.requests).toEqual([]);
});
