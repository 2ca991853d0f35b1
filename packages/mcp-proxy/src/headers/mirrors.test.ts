import type { Verdict } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { sendAnswer } from "../testing/mcp-server-stub.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { ALLOW, callOf, type TestMcpProxy } from "../testing/start-mcp-proxy.ts";

const SCHEMA = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    limit: { type: "integer", "x-mcp-header": "Limit" },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
    deep: { type: "object", properties: { id: { type: "string", "x-mcp-header": "Deep-Id" } } },
    text: { type: "string" },
  },
};

/** A proxy whose policy puts these arguments in place of others. */
function shapingTo(shaped_args: JsonObject, asEvents = false): Promise<TestMcpProxy> {
  return deciding({ ...ALLOW, args_constrained: true, shaped_args }, asEvents);
}

/** A proxy by which the list of tools has passed. */
async function deciding(decide: Verdict, asEvents = false): Promise<TestMcpProxy> {
  const proxy = await proxyOfTest({ decide });
  const list = {
    jsonrpc: "2.0",
    id: 1,
    result: { tools: [{ name: "echo", inputSchema: SCHEMA }, null, {}] },
  };
  proxy.server.script = (_, response) => {
    if (!asEvents) return sendAnswer(response, list);
    response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${JSON.stringify(list)}\n\n`);
  };
  await proxy.send({ body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
  return proxy;
}

function mirrorsSeen(proxy: TestMcpProxy): Record<string, unknown> {
  const { headers = {} } = proxy.server.seen.at(-1) ?? {};
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-")));
}

const SENT: [string, string][] = [
  ["Mcp-Param-Region", "us"],
  ["mcp-param-limit", "1000"],
];

describe("headers that repeat arguments follow a rewrite", () => {
  // proves MCP-05
  it.each<{ args: JsonObject; wanted: Record<string, string> }>([
    { args: { region: "eu", limit: 10 }, wanted: { "mcp-param-region": "eu", "mcp-param-limit": "10" } },
    { args: { limit: 10, dry: true }, wanted: { "mcp-param-limit": "10", "mcp-param-dry": "true" } },
    { args: { region: null, deep: { id: "x" } }, wanted: { "mcp-param-deep-id": "x" } },
    { args: { region: "köln" }, wanted: { "mcp-param-region": "=?base64?a8O2bG4=?=" } },
    { args: { region: " eu" }, wanted: { "mcp-param-region": "=?base64?IGV1?=" } },
    {
      args: { region: "=?base64?eA==?=" },
      wanted: { "mcp-param-region": "=?base64?PT9iYXNlNjQ/ZUE9PT89?=" },
    },
    { args: {}, wanted: {} },
  ])("$args", async ({ args, wanted }) => {
    const proxy = await shapingTo(args);
    await proxy.send({ headers: SENT, body: callOf({ arguments: { region: "us", limit: 1_000 } }) });
    expect(mirrorsSeen(proxy)).toEqual(wanted);
  });

  it("and when the list of tools came as events", async () => {
    const proxy = await shapingTo({ region: "eu" }, true);
    await proxy.send({ headers: SENT, body: callOf({ arguments: { region: "us", limit: 1_000 } }) });
    expect(mirrorsSeen(proxy)).toEqual({ "mcp-param-region": "eu" });
  });

  it("a call with an unknown header is denied and does not count", async () => {
    const proxy = await shapingTo({ region: "eu" });
    const { json } = await proxy.send({ headers: [["Mcp-Param-Other", "x"]], body: callOf() });
    expect(json["error"]).toMatchObject({ code: 503_001, data: { reason_code: "shaping_unsupported" } });
    expect(proxy.server.seen).toHaveLength(1);
    expect(proxy.outcomes).toMatchObject([{ status: "not_executed" }]);
  });

  it("a call of a tool in no list is denied with such headers, and rewritten without them", async () => {
    const proxy = await shapingTo({ region: "eu" });
    const named = { name: "other" };
    const denied = await proxy.send({ headers: SENT, body: callOf(named) });
    expect(denied.json["error"]).toMatchObject({ data: { reason_code: "shaping_unsupported" } });
    await proxy.send({ body: callOf(named) });
    expect(JSON.parse(proxy.server.seen.at(-1)?.body ?? "")).toMatchObject({
      params: { arguments: { region: "eu" } },
    });
  });
});

describe("M4: headers that repeat arguments must agree with the body", () => {
  it.each<{ headers: [string, string][]; args: JsonObject }>([
    { headers: [["Mcp-Param-Region", "us"]], args: { region: "eu" } },
    { headers: [["mcp-param-region", "us"]], args: {} },
    { headers: [["Mcp-Param-Region", "null"]], args: { region: null } },
    { headers: [["Mcp-Param-Region", "=?base64?!!?="]], args: { region: "=?base64?!!?=" } },
    { headers: [["Mcp-Param-Limit", "10x"]], args: { limit: 10 } },
    { headers: [["Mcp-Param-Limit", "10"]], args: { limit: "11" } },
    { headers: [["Mcp-Param-Dry", "false"]], args: { dry: true } },
    { headers: [["Mcp-Param-Deep-Id", "a"]], args: { deep: { id: "b" } } },
    { headers: [["Mcp-Param-Deep_Id", "b"]], args: { deep: { id: "b" } } },
    { headers: [...SENT, ["MCP-PARAM-REGION", "us"]], args: { region: "us", limit: 1_000 } },
    {
      headers: [
        ["Mcp-Param-Other", "x"],
        ["Mcp-Param-Other", "x"],
      ],
      args: {},
    },
  ])("$headers against $args: 400 and -32020, and nothing runs", async ({ headers, args }) => {
    const proxy = await shapingTo({});
    const answer = await proxy.send({ headers, body: callOf({ arguments: args }, 4) });
    expect([answer.status, answer.json]).toMatchObject([400, { id: 4, error: { code: -32020 } }]);
    expect([proxy.asked.length, proxy.server.seen.length]).toEqual([0, 1]);
  });

  it.each<{ headers: [string, string][]; args: JsonObject }>([
    { headers: SENT, args: { region: "us", limit: 1_000 } },
    { headers: [["Mcp-Param-Region", "=?base64?dXM=?="]], args: { region: "us" } },
    { headers: [["Mcp-Param-Limit", "10.0"]], args: { limit: 10 } },
    { headers: [["Mcp-Param-Dry", "true"]], args: { dry: true } },
    { headers: [["Mcp-Param-Some_Other", "x"]], args: {} },
    { headers: [], args: { region: "us" } },
  ])("$headers beside $args pass unchanged", async ({ headers, args }) => {
    const proxy = await deciding(ALLOW);
    await proxy.send({ headers, body: callOf({ arguments: args }) });
    expect(proxy.server.seen).toHaveLength(2);
    expect(mirrorsSeen(proxy)).toEqual(
      Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    );
  });
});
