import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { SESSION_REQUIRED } from "@svc/tool-calls/testing/session-required";
import { expect, it, onTestFinished } from "vitest";
import { startMcpProxy } from "../start-mcp-proxy.ts";
import { startMcpServerStub } from "../testing/mcp-server-stub.ts";
import { callOf } from "../testing/start-mcp-proxy.ts";
import { SESSION_HINT } from "./session-hint.ts";

// proves ADP-08
it("a deny for a missing session names the header to send", async () => {
  const gateway = await startHttpGateway((request, response) => {
    request.resume();
    const list = '{"kill_switches":[],"next_cursor":null}';
    response.writeHead(200, { "content-type": "application/json" });
    response.end(request.method === "POST" ? JSON.stringify(SESSION_REQUIRED) : list);
  });
  onTestFinished(() => gateway.close());
  const server = await startMcpServerStub();
  onTestFinished(() => server.close());
  const proxy = await startMcpProxy({
    SVC_GATEWAY_URL: gateway.url,
    SVC_AGENT_ID: "agent-1",
    SVC_MCP_UPSTREAM_URL: `${server.url}/mcp`,
    SVC_MCP_LISTEN: "127.0.0.1:0",
    SVC_LOG_LEVEL: "silent",
  });
  onTestFinished(() => proxy.close());
  const answer = await fetch(`${proxy.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(callOf()),
  });
  expect(await answer.json()).toMatchObject({
    error: { data: { reason: `${SESSION_REQUIRED.reason} (at this adapter: ${SESSION_HINT})` } },
  });
});
