import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningTools, startTools } from "./start-tools.ts";

let tools: RunningTools;
const told: string[] = [];
beforeAll(async () => {
  tools = await startTools((line) => told.push(line));
});
afterAll(() => tools.close());
beforeEach(() => {
  told.length = 0;
});

async function post(body: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(tools.mcpUrl, { method: "POST", body: text });
  const answer = await response.text();
  return { status: response.status, body: answer === "" ? null : JSON.parse(answer) };
}

const rpc = (method: string, params?: object) =>
  post({ jsonrpc: "2.0", id: 1, method, ...(params && { params }) });

describe("the demonstration's MCP server", () => {
  it.each(["2025-11-25", "2025-03-26"])(
    "greets in the revision that the client asks for: %s",
    async (asked) => {
      const { body } = await rpc("initialize", { protocolVersion: asked });
      expect(body).toHaveProperty("result.protocolVersion", asked);
    },
  );

  it("greets in its newest revision when it does not know the client's", async () => {
    const { body } = await rpc("initialize", { protocolVersion: "1999-01-01" });
    expect(body).toHaveProperty("result.protocolVersion", "2025-11-25");
  });

  it("runs a tool, and reports the call", async () => {
    const { body } = await rpc("tools/call", { name: "crm.read", arguments: { customer: "7" } });
    expect(body).toHaveProperty("result.content", [{ type: "text", text: "customer 7: no open orders" }]);
    expect(told).toEqual(['the MCP server ran crm.read {"customer":"7"}']);
  });

  it.each([
    { name: "an unknown tool", method: "tools/call", params: { name: "rm" }, code: -32_602 },
    { name: "an unknown method", method: "resources/list", params: {}, code: -32_601 },
  ])("answers $name with an error, and runs nothing", async ({ method, params, code }) => {
    expect((await rpc(method, params)).body).toHaveProperty("error.code", code);
    expect(told).toEqual([]);
  });

  it.each([
    { name: "no JSON", body: "{" },
    { name: "a batch", body: [{ jsonrpc: "2.0", id: 1, method: "ping" }] },
    { name: "no method", body: { jsonrpc: "2.0", id: 1 } },
  ])("refuses $name", async ({ body }) => {
    expect((await post(body)).status).toBe(400);
  });

  it("takes notifications and the end of a session, and has no stream", async () => {
    expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
    expect((await fetch(tools.mcpUrl, { method: "DELETE" })).status).toBe(204);
    expect((await fetch(tools.mcpUrl)).status).toBe(405);
  });
});

describe("the demonstration's service behind the proxies", () => {
  it("answers every request, and reports it", async () => {
    const url = `http://127.0.0.1:${String(tools.backendPort)}/refunds?x=1`;
    const response = await fetch(url, { method: "POST", body: '{"amount":1}' });
    expect(await response.json()).toEqual({ ran: "POST /refunds?x=1" });
    expect(told).toEqual(['the service behind the proxies ran POST /refunds?x=1 {"amount":1}']);
  });
});
