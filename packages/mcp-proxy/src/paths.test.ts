import { describe, expect, it } from "vitest";
import { passedPath } from "./paths.ts";
import type { Script } from "./testing/mcp-server-stub.ts";
import { proxyOfTest } from "./testing/proxy-of-test.suite.ts";
import { callOf, type TestMcpProxy } from "./testing/start-mcp-proxy.ts";

const JSON_TYPE: [string, string] = ["content-type", "application/json"];
const FORM: [string, string] = ["content-type", "application/x-www-form-urlencoded"];
const REST = '{"amount":5000}';

const accept: Script = (_, response) => void response.writeHead(202).end();

const statusOf = async (proxy: TestMcpProxy, method: string, target: string, body?: string) =>
  (await proxy.send({ method, target, ...(body === undefined ? {} : { headers: [JSON_TYPE], body }) }))
    .status;

// proves MCP-17
describe("paths other than the endpoint", () => {
  it.each([
    ["POST", "/refunds", REST],
    ["POST", "/tools/refund/run", REST],
    ["POST", "/graphql", '{"query":"mutation{}"}'],
    ["DELETE", "/orders/1"],
    ["GET", "/orders"],
    ["GET", "/health"],
    ["GET", "/MCP"],
    ["GET", "/mcp/orders"],
    ["GET", "/mcp;x/orders"],
    ["GET", "/.well-known/mcp"],
    ["GET", "/.well-known/jwks.json"],
    ["GET", "/.well-known/oauth-protected-resources"],
    ["GET", "/.well-known/oauth-protected-resource/..;/orders"],
    ["GET", "/.well-known/oauth-protected-resource/.x/orders"],
    ["GET", "/.well-known/oauth-protected-resource%3b/orders"],
    ["GET", "/token/x"],
    ["GET", "/Register"],
    ["OPTIONS", "/refunds"],
  ])("%s %s does not reach the server and is counted", async (method, target, body?: string) => {
    const proxy = await proxyOfTest();
    expect(await statusOf(proxy, method, target, body)).toBe(404);
    expect([proxy.server.seen, proxy.asked, proxy.defects]).toEqual([[], [], []]);
    expect(await proxy.metrics()).toContain('svc_mcp_refused_requests_total{cause="path"} 1');
  });

  it.each([
    ["GET", "/token"],
    ["GET", "/register"],
    ["DELETE", "/register"],
    ["POST", "/.well-known/oauth-protected-resource", REST],
    ["PUT", "/mcp", REST],
  ])("%s %s gets 405 with the methods of the path", async (method, target, body?: string) => {
    const proxy = await proxyOfTest();
    const answer = await proxy.send({ method, target, ...(body === undefined ? {} : { body }) });
    expect([answer.status, answer.headers.allow]).toEqual([405, expect.stringMatching(/^[A-Z, ]+$/)]);
    expect(proxy.server.seen).toEqual([]);
  });

  it.each([
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server/tenant-1/x",
    "/.well-known/openid-configuration",
    "/mcp/.well-known/openid-configuration",
    "/authorize?response_type=code&state=a",
  ])("GET %s is OAuth, which passes", async (target) => {
    const proxy = await proxyOfTest();
    expect((await proxy.send({ target })).status).toBe(202);
    expect(proxy.server.seen.map(({ url }) => url)).toEqual([target]);
  });

  it("paths that the operator added pass only exactly, and messages on them are judged", async () => {
    const proxy = await proxyOfTest({ settings: { passPaths: ["/auth/callback"] }, script: accept });
    const added = "/auth/callback";
    expect((await proxy.send({ target: `${added}?code=1` })).status).toBe(202);
    expect((await proxy.send({ target: added, body: REST })).status).toBe(202);
    expect((await proxy.send({ target: added, headers: [FORM], body: "a=1" })).status).toBe(202);
    expect(proxy.server.seen).toHaveLength(3);
    for (const other of ["/auth", "/auth/callback/", "/auth/callback/x", "/auth/callbac"])
      expect((await proxy.send({ target: other })).status).toBe(404);
    await proxy.send({ target: added, body: callOf() });
    expect(proxy.asked).toMatchObject([{ tool: "echo" }]);
    proxy.kill({ scope: "agent", target: "agent-1" });
    expect((await proxy.send({ target: added, body: REST })).status).toBe(403);
    expect((await proxy.send({ target: added })).status).toBe(403);
    expect(proxy.server.seen).toHaveLength(4);
  });

  // proves MCP-25
  it.each([
    ["a ping", '{"jsonrpc":"2.0","id":7,"method":"ping"}'],
    ["a list", '{"jsonrpc":"2.0","id":7,"method":"tools/list"}'],
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
  ])(
    "under a kill switch, %s does not carry a query to a path that the operator added",
    async (_name, body) => {
      const proxy = await proxyOfTest({ settings: { passPaths: ["/consent"] }, script: accept });
      proxy.kill({ scope: "agent", target: "agent-1" });
      const { json } = await proxy.send({ target: "/consent?approve=1", body });
      expect(proxy.server.seen).toEqual([]);
      expect(json).toMatchObject(body.includes('"id"') ? { id: 7, error: { code: 403_001 } } : {});
    },
  );

  it("OAuth passes under a kill switch: it runs no tool, and an agent may come back afterwards", async () => {
    const proxy = await proxyOfTest({ script: accept });
    proxy.kill({ scope: "agent", target: "agent-1", accountWide: true });
    expect((await proxy.send({ target: "/.well-known/oauth-protected-resource" })).status).toBe(202);
    expect((await proxy.send({ target: "/token", headers: [FORM], body: "grant_type=x" })).status).toBe(202);
  });
});

// proves MCP-18
describe("a body that is not an MCP message", () => {
  it.each([
    ["a tool's arguments", '{"name":"refund","arguments":{"amount":5000}}', JSON_TYPE],
    ["REST", REST, JSON_TYPE],
    ["an empty object", "{}", JSON_TYPE],
    ["a form", "amount=5000", FORM],
    ["text", REST, ["content-type", "text/plain"] as [string, string]],
  ])("%s is refused at the endpoint", async (_name, body, type) => {
    const proxy = await proxyOfTest();
    const { status } = await proxy.send({ headers: [type], body });
    expect([400, 415]).toContain(status);
    expect(proxy.server.seen).toEqual([]);
    expect(await proxy.metrics()).toContain('svc_mcp_refused_requests_total{cause="message"} 1');
  });

  it.each(["/token", "/register", "/revoke", "/authorize"])("a message is refused on %s", async (target) => {
    const proxy = await proxyOfTest();
    expect([400, 415]).toContain((await proxy.send({ target, body: callOf() })).status);
    expect([proxy.server.seen, proxy.asked]).toEqual([[], []]);
  });
});

describe("the endpoint's own path", () => {
  it.each([
    ["http://h/api/mcp", "/api/mcp?x", "/api/mcp?x"],
    ["http://h/api/mcp", "/mcp/", "/api/mcp/"],
    ["http://h/api/mcp/", "/", "/api/mcp/"],
    ["http://h/api/mcp/", "/api/mcp", "/api/mcp"],
    ["http://h/", "/mcp", "/mcp"],
    ["http://h/", "/", "/"],
    ["http://h/", "/mcp/", "/mcp/"],
  ])("of %s: %s reaches the server as %s", (upstream, target, wanted) => {
    expect(passedPath(target, { upstream: new URL(upstream), passPaths: [] })).toMatchObject({
      kind: "endpoint",
      target: wanted,
    });
  });
});
