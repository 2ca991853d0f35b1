// long: it starts a chain of processes for each test

import { findFreePort } from "@svc/process/free-port";
import { describe, expect, it, onTestFinished } from "vitest";
import { DENY } from "../support/adapters/gateway-verdicts.ts";
import { startScriptedGateway } from "../support/adapters/scripted-gateway.ts";
import { mcpClients } from "./mcp-clients.ts";
import { startMcpProxy } from "./mcp-proxy-process.ts";
import { startDualEraServer } from "./mcp-servers.ts";

describe("proxies in a row", () => {
  // proves MCP-09
  it.each(mcpClients)(
    "$name: each judges, each can stop the call, and the answer passes both",
    async ({ connect }) => {
      const server = await startDualEraServer();
      const [near, far] = [await startScriptedGateway(), await startScriptedGateway()];
      const behind = await startMcpProxy({
        gatewayUrl: far.url,
        upstreamUrl: server.url,
        env: { SVC_MCP_ID: "far" },
      });
      const front = await startMcpProxy({ gatewayUrl: near.url, upstreamUrl: behind.url });
      onTestFinished(async () => {
        for (const proxy of [front, behind]) await proxy.stop("SIGKILL");
        for (const gateway of [near, far]) await gateway.server.close();
        await server.stop();
      });
      const client = await connect(front.url);
      expect(await client.call("echo", { message: "hi" })).toBe("Echo: hi");
      expect([near, far].map((gateway) => gateway.calls()[0]?.["tool"])).toEqual(["echo", "far.echo"]);
      far.answer(DENY);
      await expect(client.call("echo", { message: "hi" })).rejects.toMatchObject({ code: 403_001 });
      near.answer(DENY);
      far.server.forget();
      await expect(client.call("echo", { message: "hi" })).rejects.toMatchObject({ code: 403_001 });
      expect([far.calls(), server.ran()]).toEqual([[], 1]);
      await client.close();
    },
  );

  it("M13: a proxy that is its own server says so instead of asking itself forever", async () => {
    const gateway = await startScriptedGateway();
    const port = await findFreePort();
    const upstreamUrl = `http://127.0.0.1:${String(port)}/mcp`;
    const proxy = await startMcpProxy({ gatewayUrl: gateway.url, upstreamUrl, port });
    onTestFinished(async () => {
      await proxy.stop("SIGKILL");
      await gateway.server.close();
    });
    const answer = await fetch(proxy.url, { headers: { accept: "text/event-stream" } });
    expect(answer.status).toBe(508);
  });
});
