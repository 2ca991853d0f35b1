import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { callOf } from "../testing/start-mcp-proxy.ts";

type Header = readonly [string, string];
const NOBODY = { identity: { agentId: null, namespace: null } };
const FIXED = { identity: { agentId: "agent-1", namespace: "ns-1" } };
const TRACE = "0af7651916cd43dd8448eb211c80319c";

describe("the agent of a call", () => {
  // proves ADP-03
  it("a call without an agent is denied with its id", async () => {
    const proxy = await proxyOfTest({ settings: NOBODY });
    const { status, json } = await proxy.send({ body: callOf() });
    expect([status, json]).toMatchObject([200, { id: 1, error: { data: { reason_code: "agent_unknown" } } }]);
    expect([proxy.asked, proxy.server.seen]).toEqual([[], []]);
  });

  it("comes from the operator's headers when the configuration does not fix it", async () => {
    const proxy = await proxyOfTest({ settings: NOBODY });
    const headers: Header[] = [
      ["X-Svc-Agent-Id", "agent-7"],
      ["X-Svc-Namespace", "ns-7"],
    ];
    await proxy.send({ headers, body: callOf() });
    expect(proxy.asked).toMatchObject([{ agent_id: "agent-7", namespace: "ns-7" }]);
  });

  // proves ADP-02
  it.each<readonly Header[]>([
    [["X-Svc-Agent-Id", "agent-2"]],
    [["X-Svc-Namespace", "ns-2"]],
    [
      ["X-Svc-Agent-Id", "agent-1"],
      ["x-svc-agent-id", "agent-1"],
    ],
    [["X_Svc_Agent_Id", "agent-1"]],
    [["X.Svc-Agent-Id", "agent-1"]],
    [["Mcp_Session_Id", "s"]],
    [["MCP.Session-Id", "s"]],
    [["Mcp_Method", "ping"]],
    [["Mcp_Param_Card", "4111"]],
    [["Mcp-Param_Card", "4111"]],
    [["Last_Event_ID", "e-1"]],
    [["X-Svc_Other", "x"]],
    [["X-Svc-Agent-Id", ""]],
    [["X-Svc-Session-Id", "a*b"]],
    [
      ["X-Svc-Session-Id", "s"],
      ["X-Svc-Session-Id", "t"],
    ],
    [
      ["Mcp-Session-Id", "s"],
      ["Mcp-Session-Id", "t"],
    ],
  ])("%j, %j is refused, with the id when there is one", async (...headers) => {
    const proxy = await proxyOfTest({ settings: FIXED });
    const { status, json } = await proxy.send({ headers, body: callOf() });
    expect([status, json]).toMatchObject([
      200,
      { id: 1, error: { data: { reason_code: "request_malformed" } } },
    ]);
    expect((await proxy.send({ headers })).status).toBe(403);
    expect([proxy.asked, proxy.server.seen]).toEqual([[], []]);
    expect(await proxy.metrics()).toMatch(/cause="identity"\} [1-9]/);
  });

  // proves ADP-15
  it.each([
    [[], { namespace: "default" }],
    [[["X-Svc-Namespace", "default"]], { namespace: "default" }],
    [[["X-Svc-Namespace", "ns-2"]], null],
  ] as const)(
    "is in the default namespace when the configuration names only it: %j",
    async (headers, wanted) => {
      const settings = { identity: { agentId: "agent-1", namespace: null } };
      const proxy = await proxyOfTest({ settings });
      const { json } = await proxy.send({
        headers: headers.map(([name, value]) => [name, value]),
        body: callOf(),
      });
      expect(proxy.asked).toMatchObject(wanted === null ? [] : [wanted]);
      if (wanted === null)
        expect(json["error"]).toMatchObject({ data: { reason_code: "request_malformed" } });
    },
  );

  it("does not come from the message", async () => {
    const proxy = await proxyOfTest({ settings: NOBODY });
    const clientInfo = { name: "agent-1" };
    const _meta = { "svc/agentId": "agent-1", "io.modelcontextprotocol/clientInfo": clientInfo };
    const { json } = await proxy.send({ body: callOf({ agent_id: "agent-1", _meta }) });
    expect(json["error"]).toMatchObject({ data: { reason_code: "agent_unknown" } });
  });
});

describe("the session that a call counts in", () => {
  const trace: Header = ["traceparent", `00-${TRACE}-b7ad6b7169203331-01`];
  const mcp: Header = ["Mcp-Session-Id", "m-1"];
  const own: Header = ["X-Svc-Session-Id", "o-1"];
  const meta = { _meta: { "svc/sessionId": "b-1" } };

  it.each<{ name: string; headers: Header[]; params: object; wanted: string | null }>([
    { name: "the operator's header", headers: [trace, mcp, own], params: meta, wanted: "o-1" },
    { name: "the body's _meta", headers: [trace, mcp], params: meta, wanted: "b-1" },
    { name: "the session of MCP", headers: [trace, mcp], params: {}, wanted: "m-1" },
    { name: "the trace", headers: [trace], params: {}, wanted: TRACE },
    { name: "none", headers: [], params: {}, wanted: null },
    { name: "none for a malformed trace", headers: [["traceparent", "00-x"]], params: {}, wanted: null },
    { name: "none for a repeated trace", headers: [trace, trace], params: {}, wanted: null },
    {
      name: "none for an empty trace",
      headers: [["traceparent", `00-${"0".repeat(32)}-1-01`]],
      params: {},
      wanted: null,
    },
    {
      name: "an MCP session that is not an identifier, as its digest",
      headers: [["Mcp-Session-Id", "a+b/c=="]],
      params: {},
      wanted: `mcp-session:${hash("sha256", "a+b/c==")}`,
    },
  ])("$name", async ({ headers, params, wanted }) => {
    const proxy = await proxyOfTest();
    await proxy.send({ headers, body: callOf(params) });
    expect(proxy.asked).toMatchObject([{ session_id: wanted }]);
  });

  it.each([7, null, "", "a b ", "x".repeat(300), ["s"]])(
    "M11: a session %j in _meta is refused",
    async (session) => {
      const proxy = await proxyOfTest();
      const _meta = { "svc/sessionId": session };
      const { json } = await proxy.send({ headers: [mcp], body: callOf({ _meta }) });
      expect(json["error"]).toMatchObject({ code: 503_001, data: { reason_code: "request_malformed" } });
      expect([proxy.asked, proxy.server.seen]).toEqual([[], []]);
    },
  );
});

describe("SVC_MCP_META_SESSION=refuse: a message cannot open a budget of its own", () => {
  const mcp: [string, string] = ["Mcp-Session-Id", "s-1"];
  const ours: [string, string] = ["X-Svc-Session-Id", "o-1"];
  it.each([
    { headers: [mcp], named: "s-1", session: "s-1" },
    { headers: [ours, mcp], named: "s-1", session: "o-1" },
    { headers: [mcp], named: null, session: "s-1" },
    { headers: [mcp], named: "f0", session: null },
    { headers: [ours, mcp], named: "f0", session: null },
    { headers: [], named: "f0", session: null },
  ])("$headers and $named: $session", async ({ headers, named, session }) => {
    const proxy = await proxyOfTest({ settings: { metaSession: "refuse" } });
    const params = named === null ? {} : { _meta: { "svc/sessionId": named } };
    const { json } = await proxy.send({ headers, body: callOf(params) });
    if (session !== null) return expect(proxy.asked).toMatchObject([{ session_id: session }]);
    expect(json["error"]).toMatchObject({ code: 503_001, data: { reason_code: "request_malformed" } });
    return expect([proxy.asked, proxy.server.seen]).toEqual([[], []]);
  });
});

describe("the tool that is judged", () => {
  it.each([
    [null, "refund", "refund"],
    ["payments", "refund", "payments.refund"],
    ["payments", "a.b", "payments.a.b"],
  ])("of server %s, tool %s: %s", async (mcpId, name, tool) => {
    const proxy = await proxyOfTest({ settings: { mcpId } });
    await proxy.send({ body: callOf({ name }) });
    expect(proxy.asked).toMatchObject([{ tool }]);
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toMatchObject({ params: { name } });
  });

  it.each([
    { name: 7 },
    { name: null },
    { name: "" },
    { name: "a b " },
    { name: "pаyments" },
    { name: "a\u0000b" },
    { name: "x".repeat(257) },
    { arguments: null },
    { arguments: [] },
    { arguments: "{}" },
  ])("M3: %j is denied with the id", async (params) => {
    const proxy = await proxyOfTest();
    const { status, json } = await proxy.send({ body: callOf(params) });
    expect([status, json]).toMatchObject([
      200,
      { id: 1, error: { data: { reason_code: "request_malformed" } } },
    ]);
    expect([proxy.asked, proxy.server.seen]).toEqual([[], []]);
  });
});
