import type { DenyVerdict, PauseVerdict, Verdict } from "@svc/contract/verdict";
import { describe, expect, it } from "vitest";
import { sendAnswer } from "../testing/mcp-server-stub.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { ALLOW, callOf, DENY } from "../testing/start-mcp-proxy.ts";

const FAULT: DenyVerdict = {
  decision: "deny",
  reason: "The audit log is not writable.",
  reason_code: "audit_unavailable",
  args_constrained: false,
  fail_closed: true,
};
const PAUSE: PauseVerdict = {
  decision: "pause",
  decision_id: "g.3",
  reason: "A person must agree.",
  reason_code: "approval_required",
  approval_url: "https://svc.example/approvals/1",
  args_constrained: false,
};
const SHAPED: Verdict = { ...ALLOW, args_constrained: true, shaped_args: { text: "***" } };

/** `_meta` of a request of the stateless revision. */
const STATELESS = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };

describe("verdicts on the wire", () => {
  // proves MCP-04
  it("an allow forwards the call and passes the answer on", async () => {
    const proxy = await proxyOfTest();
    const answer = await proxy.send({ body: callOf() });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { name: "echo", arguments: { text: "hi" } },
    });
    expect(proxy.asked).toMatchObject([{ agent_id: "agent-1", tool: "echo", args: { text: "hi" } }]);
  });

  // proves MCP-30
  it("an allow forwards members in their order, and nothing of the white space and the escapes", async () => {
    const proxy = await proxyOfTest();
    const params = '{"name":"echo","arguments":{"to":"b","amount":5,"at":{"z":1,"a":2}}}';
    await proxy.send({ body: `{ "method":"tools\\/call", "params":${params}, "jsonrpc":"2.0","id":1}` });
    expect(proxy.server.seen[0]?.body).toBe(
      `{"method":"tools/call","params":${params},"jsonrpc":"2.0","id":1}`,
    );
  });

  // proves MCP-05
  it("a rewrite replaces params.arguments and nothing else", async () => {
    const proxy = await proxyOfTest({ decide: SHAPED });
    const call = callOf({ _meta: { progressToken: 7, traceparent: "x" } });
    await proxy.send({ body: call });
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toEqual({
      ...call,
      params: { name: "echo", arguments: { text: "***" }, _meta: { progressToken: 7, traceparent: "x" } },
    });
  });

  // proves MCP-06
  it.each([
    { verdict: DENY, code: 403_001, message: DENY.reason, data: { rule_id: "closed", decision_id: "g.2" } },
    { verdict: FAULT, code: 503_001, message: FAULT.reason, data: { fail_closed: true } },
    {
      verdict: PAUSE,
      code: 202_001,
      message:
        "A person must agree. The call is paused until it is approved. Then repeat the same call. " +
        "Approval: https://svc.example/approvals/1",
      data: { approval_url: PAUSE.approval_url },
    },
  ])("$verdict.decision $code is an error with status 200", async ({ verdict, code, message, data }) => {
    const proxy = await proxyOfTest({ decide: verdict });
    const answer = await proxy.send({ body: callOf({}, "a") });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"]);
    expect(answer.json).toMatchObject({ jsonrpc: "2.0", id: "a", error: { code, message, data } });
    expect(answer.json["error"]).toMatchObject({
      data: { decision: verdict.decision, reason: verdict.reason, reason_code: verdict.reason_code },
    });
    expect(answer.headers["www-authenticate"]).toBeUndefined();
    expect(proxy.server.seen).toEqual([]);
  });

  // proves MCP-06
  it.each([0, 1, -7, 9_007_199_254_740_991, "", "0", "ä \u{1F600}", "x".repeat(1_000)])(
    "the answer has exactly the id %j",
    async (id) => {
      const proxy = await proxyOfTest({ decide: DENY });
      const { json } = await proxy.send({ body: callOf({}, id) });
      expect(json["id"]).toBe(id);
    },
  );

  it.each([
    { era: "sessions", params: {} },
    { era: "stateless", params: STATELESS },
  ])("as a tool result, era of $era, models can read the reason", async ({ era, params }) => {
    const proxy = await proxyOfTest({ decide: PAUSE, settings: { denyAs: "tool_result" } });
    const { status, json } = await proxy.send({ body: callOf(params, 0) });
    expect([status, json["id"]]).toEqual([200, 0]);
    expect(json["result"]).toMatchObject({ isError: true, content: [{ type: "text" }] });
    expect(JSON.stringify(json["result"])).toContain(PAUSE.approval_url);
    const { resultType } = json["result"] as { resultType?: string };
    expect(resultType).toBe(era === "stateless" ? "complete" : undefined);
  });
});

describe("outcomes", () => {
  const mismatch = { jsonrpc: "2.0", id: 1, error: { code: -32020, message: "HeaderMismatch" } };

  it.each([
    { name: "a result", document: { jsonrpc: "2.0", id: 1, result: {} }, wanted: ["succeeded"] },
    {
      name: "an error result",
      document: { jsonrpc: "2.0", id: 1, result: { isError: true } },
      wanted: ["failed"],
    },
    {
      name: "an error",
      document: { jsonrpc: "2.0", id: 1, error: { code: -1, message: "" } },
      wanted: ["failed"],
    },
    { name: "a task", document: { jsonrpc: "2.0", id: 1, result: { task: { taskId: "t" } } }, wanted: [] },
    {
      name: "a wish for input",
      document: { jsonrpc: "2.0", id: 1, result: { resultType: "input_required" } },
      wanted: [],
    },
  ])("$name is $wanted", async ({ document, wanted }) => {
    const proxy = await proxyOfTest({ script: (_, response) => sendAnswer(response, document) });
    expect((await proxy.send({ body: callOf() })).json).toEqual(document);
    expect(proxy.outcomes.map(({ status }) => status)).toEqual(wanted);
  });

  it("a 400 that says that headers contradict the body passes and is not_executed", async () => {
    const proxy = await proxyOfTest({ script: (_, response) => sendAnswer(response, mismatch, 400) });
    const answer = await proxy.send({ body: callOf() });
    expect([answer.status, answer.json]).toEqual([400, mismatch]);
    expect(proxy.outcomes).toMatchObject([{ decisionId: "g.1", status: "not_executed" }]);
  });

  it("another 400 passes and does not prove that nothing ran", async () => {
    const refusal = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "no" } };
    const proxy = await proxyOfTest({ script: (_, response) => sendAnswer(response, refusal, 400) });
    expect((await proxy.send({ body: callOf() })).json).toEqual(refusal);
    expect(proxy.outcomes).toMatchObject([{ status: "failed" }]);
  });
});
