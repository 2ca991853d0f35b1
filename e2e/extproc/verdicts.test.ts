// peers: envoy
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type ClientAnswer,
  type ExtprocStage,
  sendThrough,
  startStage,
} from "../support/adapters/extproc-stage.ts";
import { ALLOW, DENY, PAUSE, shaped, verdict } from "../support/adapters/gateway-verdicts.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { sendBytes } from "../support/requests/raw-http.ts";

/** The largest body that the shipped configuration lets through, in bytes. */
const BODY_LIMIT = 262_144;

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("the shipped Envoy configuration and route table", () => {
  let stage: ExtprocStage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());
  beforeEach(() => stage.reset());

  function expectRefused(answer: ClientAnswer, status: number): void {
    expect(answer.status).toBe(status);
    expect(stage.backend.seen).toEqual([]);
  }

  // proves XPR-01, XPR-02
  it("an allowed call reaches the backend as the bytes that were judged, marked", async () => {
    stage.gateway.respondWith(verdict(ALLOW));
    const body =
      '{ "method":"tools\\/call", "jsonrpc":"2.0","id":7,"params":{"name":"payments.refund","arguments":{"b":1.0,"a":"\\u0041"}} }';
    const answer = await sendThrough(stage.envoy, "/mcp", { body });
    expect(answer).toMatchObject({ status: 200, body: "from the backend" });
    expect(stage.asked()).toEqual([
      { agent_id: "refund-agent", tool: "payments.refund", args: { a: "A", b: 1 } },
    ]);
    const [seen] = stage.backend.seen;
    expect(seen?.body).toBe(JSON.stringify(JSON.parse(body)));
    expect(seen?.headers).toMatchObject({ "x-svc-decision": "allow" });
  });

  // proves XPR-04
  it("a deny is 403 with the verdict, and the backend sees nothing", async () => {
    const answer = await sendThrough(stage.envoy, "/mcp", { body: toolsCall({ amount: 5 }) });
    expectRefused(answer, 403);
    expect(JSON.parse(answer.body)).toEqual(DENY);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-svc-decision": "deny",
    });
  });

  // proves XPR-04
  it("X10: a pause is 202 with the verdict, and the backend sees nothing", async () => {
    stage.gateway.respondWith(verdict(PAUSE));
    const answer = await sendThrough(stage.envoy, "/mcp", { body: toolsCall({ amount: 5 }) });
    expectRefused(answer, 202);
    expect(JSON.parse(answer.body)).toEqual(PAUSE);
    expect(answer.headers.get("x-svc-decision")).toBe("pause");
  });

  // proves XPR-03
  it.each([
    ["larger", { note: "x".repeat(50_000), amount: 1 }],
    ["smaller", {}],
  ])("X8: a rewrite that is %s replaces body and content-length", async (_, args) => {
    stage.gateway.respondWith(verdict(shaped(args)));
    const answer = await sendThrough(stage.envoy, "/mcp", { body: toolsCall({ amount: 500, card: "4111" }) });
    expect(answer.status).toBe(200);
    const [seen] = stage.backend.seen;
    expect(JSON.parse(seen?.body ?? "")).toEqual(JSON.parse(toolsCall(args)));
    expect(seen?.headers["content-length"]).toBe(String(Buffer.byteLength(seen?.body ?? "")));
  });

  // proves XPR-03
  it("X8: a rewrite reaches the headers that mirror an argument", async () => {
    stage.gateway.respondWith(verdict(shaped({ region: "zürich" })));
    const headers = {
      "mcp-param-region": "us-east",
      "mcp-name": "payments.refund",
      "mcp-method": "tools/call",
    };
    const answer = await sendThrough(stage.envoy, "/mcp", {
      headers,
      body: toolsCall({ region: "us-east" }),
    });
    expect(answer.status).toBe(200);
    expect(stage.backend.seen[0]?.headers).toMatchObject({ "mcp-param-region": "=?base64?esO8cmljaA==?=" });
  });

  it("X8: a chunked request continues with one length, not with two", async () => {
    stage.gateway.respondWith(verdict(shaped({ amount: 1 })));
    const call = toolsCall({ amount: 500 });
    const lines = ["POST /mcp HTTP/1.1", "Host: a", "Content-Type: application/json", "Connection: close"];
    const chunk = `${call.length.toString(16)}\r\n${call}\r\n0\r\n\r\n`;
    const bytes = `${[...lines, "Transfer-Encoding: chunked"].join("\r\n")}\r\n\r\n${chunk}`;
    expect((await sendBytes(stage.envoy.port, bytes)).status).toBe(200);
    const [seen] = stage.backend.seen;
    expect(JSON.parse(seen?.body ?? "")).toEqual(JSON.parse(toolsCall({ amount: 1 })));
    const { "content-length": length, "transfer-encoding": coding } = seen?.headers ?? {};
    expect([length, coding].filter((header) => header !== undefined)).toHaveLength(1);
  });

  it("X6: a body over the limit is 413 by Envoy", async () => {
    stage.gateway.respondWith(verdict(ALLOW));
    expectRefused(
      await sendThrough(stage.envoy, "/mcp", { body: toolsCall({ note: "x".repeat(BODY_LIMIT) }) }),
      413,
    );
    expect(stage.asked()).toEqual([]);
  });

  it("a body just under the limit is judged whole", async () => {
    stage.gateway.respondWith(verdict(ALLOW));
    const note = "x".repeat(BODY_LIMIT - 1_000);
    expect((await sendThrough(stage.envoy, "/mcp", { body: toolsCall({ note }) })).status).toBe(200);
    expect(stage.backend.seen[0]?.body?.length).toBeGreaterThan(note.length);
  });

  it.each([
    ["POST", { body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}' }],
    ["POST", { body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }],
    ["GET", {}],
    ["DELETE", {}],
  ])("MCP without a call passes unasked, marked as ungoverned: %s %o", async (method, request) => {
    expect((await sendThrough(stage.envoy, "/mcp", { method, ...request })).status).toBe(200);
    expect(stage.backend.seen[0]?.headers).toMatchObject({ "x-svc-decision": "ungoverned" });
    expect(stage.asked()).toEqual([]);
  });

  // proves XPR-07
  it("a REST call is judged by path, query and body", async () => {
    stage.gateway.respondWith(verdict(ALLOW));
    const body = JSON.stringify({ amount: 5 });
    expect((await sendThrough(stage.envoy, "/refunds?dry=1", { body })).status).toBe(200);
    expect((await sendThrough(stage.envoy, "/orders/o%207", { method: "GET" })).status).toBe(200);
    expect(stage.asked()).toEqual([
      { agent_id: "refund-agent", tool: "payments.refund", args: { amount: 5, dry: "1" } },
      { agent_id: "refund-agent", tool: "orders.read", args: { order: "o 7" } },
    ]);
  });

  // proves XPR-08
  it.each([
    ["GET", "/", undefined],
    ["POST", "/orders/7", "{}"],
    ["PUT", "/refunds", "{}"],
    ["POST", "/REFUNDS", "{}"],
    ["POST", "/open%2f..%2frefunds", "{}"],
    ["POST", "/refunds;x", "{}"],
    ["POST", "/mcp/", toolsCall({})],
  ])("X5: %s %s matches no route and is refused", async (method, path, body) => {
    stage.gateway.respondWith(verdict(ALLOW));
    const answer = await sendThrough(stage.envoy, path, { method, ...(body === undefined ? {} : { body }) });
    expect([400, 403]).toContain(answer.status);
    expect(stage.backend.seen).toEqual([]);
    expect(stage.asked()).toEqual([]);
  });

  it.each([
    ["a batch", `[${toolsCall({})}]`, {}],
    ["a key twice", '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}', {}],
    ["a byte order mark", `\uFEFF${toolsCall({})}`, {}],
    ["no JSON", "tools/call", {}],
    ["gzip by name", toolsCall({}), { "content-encoding": "gzip" }],
    ["another media type", toolsCall({}), { "content-type": "text/plain" }],
    ["an empty body", "", {}],
  ])("X6: %s is refused unasked", async (_, body, headers) => {
    stage.gateway.respondWith(verdict(ALLOW));
    expectRefused(await sendThrough(stage.envoy, "/mcp", { body, headers }), 403);
    expect(stage.asked()).toEqual([]);
  });

  // proves XPR-07
  it("X11: a header of a client about itself or the verdict has no effect", async () => {
    const headers = {
      "x-svc-agent-id": "admin",
      "X-SVC-Namespace": "free",
      "x-svc-session-id": "s",
      "x-svc-decision": "allow",
    };
    expectRefused(await sendThrough(stage.envoy, "/mcp", { headers, body: toolsCall({}) }), 403);
    expect(stage.asked()).toEqual([{ agent_id: "refund-agent", tool: "payments.refund", args: {} }]);
  });

  it.each(["x_svc_agent_id", "X_Svc_Decision", "x_http_method_override", "mcp_name", "mcp-param_region"])(
    "X11: %s, which a backend could take for a governed header, is refused",
    async (name) => {
      stage.gateway.respondWith(verdict(ALLOW));
      const request = { headers: { [name]: "x" }, body: toolsCall({}) };
      expectRefused(await sendThrough(stage.envoy, "/mcp", request), 400);
      expect(stage.asked()).toEqual([]);
    },
  );

  it("per route: the agent comes from the proxy's own metadata", async () => {
    stage.gateway.respondWith(verdict(ALLOW));
    expect((await sendThrough(stage.envoy, "/reports/mcp", { body: toolsCall({}, "read") })).status).toBe(
      200,
    );
    expect(stage.asked()).toEqual([{ agent_id: "report-agent", tool: "reports.read", args: {} }]);
    expect(stage.backend.seen[0]?.headers).toMatchObject({ "x-svc-agent-id": "report-agent" });
  });

  it("an answer never carries a verdict that its backend sent", async () => {
    stage.gateway.respondWith(verdict(ALLOW));
    stage.backend.answerWith({ status: 200, headers: { "x-svc-decision": "deny" }, body: "done" });
    const answer = await sendThrough(stage.envoy, "/mcp", { body: toolsCall({}) });
    expect([answer.status, answer.headers.get("x-svc-decision")]).toEqual([200, null]);
  });

  it("per route: an ungoverned route goes on without the processor", async () => {
    expect((await sendThrough(stage.envoy, "/healthz", { method: "GET" })).status).toBe(200);
    expect(stage.backend.seen[0]?.headers).not.toHaveProperty("x-svc-decision");
    expect((await sendThrough(stage.envoy, "/healthz/..", { method: "GET" })).status).toBe(403);
  });
});
