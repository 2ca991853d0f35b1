import type { Verdict } from "@svc/contract/verdict";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { MAX_ARGS_BYTES } from "@svc/tool-calls/read-call";
import { afterEach, describe, expect, it } from "vitest";
import type { CheckgwSettings } from "./checkgw-settings.ts";
import { ALLOW, startTestCheckgw, type TestAnswer, type TestCheckgw } from "./testing/start-checkgw.ts";

const open: TestCheckgw[] = [];
afterEach(async () => {
  for (const checkgw of open.splice(0)) await checkgw.close();
});

async function start(verdict: Verdict = ALLOW, settings?: Partial<CheckgwSettings>): Promise<TestCheckgw> {
  const checkgw = await startTestCheckgw(verdict, settings);
  open.push(checkgw);
  return checkgw;
}

const CALL = { agent_id: "agent-1", tool: "payments.refund", args: { amount: 12 } };
const DENY: Verdict = {
  decision: "deny",
  args_constrained: false,
  reason: "no",
  reason_code: "rule",
  fail_closed: false,
};

type HeaderPair = readonly [string, string];

function ask(checkgw: TestCheckgw, body: unknown, headers: readonly HeaderPair[] = []): Promise<TestAnswer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all: HeaderPair[] = [["Content-Type", "application/json"], ...headers];
  return checkgw.send({ method: "POST", target: "/verdict", headers: all, body: text });
}

describe("POST /verdict answers 200 with the verdict", () => {
  const shaped: Verdict = { ...ALLOW, args_constrained: true, shaped_args: { amount: 10 } };
  // proves CHK-06
  it.each([ALLOW, shaped, DENY])("$decision, constrained $args_constrained", async (verdict) => {
    const checkgw = await start(verdict);
    const answer = await ask(checkgw, { ...CALL, session_id: "s-1", cost_usd: 0.5 });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual(verdict);
    expect(answer.headers).toMatchObject({ "x-svc-decision": verdict.decision, "cache-control": "no-store" });
    expect(checkgw.asked[0]?.call).toMatchObject({ ...CALL, session_id: "s-1", cost_micro_usd: 500_000 });
  });

  it("carries the idempotency key", async () => {
    const checkgw = await start();
    await ask(checkgw, CALL, [["X-Svc-Idempotency-Key", "request-1"]]);
    expect(checkgw.asked[0]?.options?.idempotencyKey).toBe("request-1");
  });

  const unreadable: Readonly<Record<string, unknown>> = {
    "no JSON": "allow",
    "an array": [CALL],
    "E3: duplicate keys": '{"agent_id":"agent-1","agent_id":"agent-2","tool":"t"}',
    "an unknown field": { ...CALL, force: true },
    "no tool": { agent_id: "agent-1" },
    "a numeric agent": { ...CALL, agent_id: 7 },
    "a malformed tool": { ...CALL, tool: "payments refund " },
  };
  it.each(Object.entries(unreadable))("a deny for %s", async (_, body) => {
    const checkgw = await start();
    const answer = await ask(checkgw, body);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({
      decision: "deny",
      reason_code: "request_malformed",
      fail_closed: true,
    });
    expect(checkgw.asked).toEqual([]);
  });

  // proves ADP-12
  it.each<[string, string]>([
    ["text", JSON.stringify("x".repeat(MAX_BODY_BYTES - 300))],
    ["numbers, once they are written out", `[${Array.from({ length: 20_000 }, () => "1e15").join()}]`],
  ])("a deny that names the bound for arguments of too much %s", async (_, value) => {
    const checkgw = await start();
    const body = JSON.stringify({ ...CALL, args: { value: 0 } }).replace('"value":0', `"value":${value}`);
    expect(Buffer.byteLength(body)).toBeLessThan(MAX_BODY_BYTES);
    expect(JSON.parse((await ask(checkgw, body)).body)).toMatchObject({
      decision: "deny",
      reason_code: "request_malformed",
      reason: expect.stringContaining(`at most ${String(MAX_ARGS_BYTES)} bytes`),
    });
    expect(checkgw.asked).toEqual([]);
  });

  it("a deny for an empty body", async () => {
    const checkgw = await start();
    expect(JSON.parse((await ask(checkgw, "")).body)).toMatchObject({ decision: "deny" });
  });
});

describe("F1: identity of a self-executing caller", () => {
  const identity = { agentId: "agent-1", namespace: "ns" };

  it("a fixed identity completes the call", async () => {
    const checkgw = await start(ALLOW, { identity });
    await ask(checkgw, { tool: "t" });
    expect(checkgw.asked[0]?.call).toMatchObject({ agent_id: "agent-1", namespace: "ns" });
  });

  // proves ADP-15
  it.each([
    ["in the default namespace, without another word", CALL, [], "default"],
    ["in the default namespace that the body repeats", { ...CALL, namespace: "default" }, [], "default"],
    ["with another namespace in the body", { ...CALL, namespace: "other" }, [], null],
    ["with another namespace in a header", CALL, [["X-Svc-Namespace", "other"]], null],
  ] as const)("a fixed agent is judged %s, or denied", async (_, body, headers, namespace) => {
    const checkgw = await start(ALLOW, { identity: { agentId: "agent-1", namespace: null } });
    const answer = await ask(
      checkgw,
      body,
      headers.map(([name, value]) => [name, value]),
    );
    expect(checkgw.asked.map(({ call }) => call.namespace)).toEqual(namespace === null ? [] : [namespace]);
    if (namespace === null)
      expect(JSON.parse(answer.body)).toMatchObject({ decision: "deny", reason_code: "request_malformed" });
  });

  const claims: readonly { name: string; body: object; headers?: HeaderPair[]; fixed?: boolean }[] = [
    { name: "a body that names another agent", body: { ...CALL, agent_id: "agent-2" }, fixed: true },
    { name: "a body that names another namespace", body: { ...CALL, namespace: "other" }, fixed: true },
    {
      name: "a header that names another agent",
      body: CALL,
      headers: [["X-Svc-Agent-Id", "agent-2"]],
      fixed: true,
    },
    { name: "a body against the operator's header", body: CALL, headers: [["X-Svc-Agent-Id", "agent-2"]] },
    {
      name: "a repeated header",
      body: CALL,
      headers: [
        ["X-Svc-Agent-Id", "agent-1"],
        ["X-Svc-Agent-Id", "agent-1"],
      ],
    },
    { name: "a look-alike header", body: CALL, headers: [["X_Svc_Agent_Id", "agent-1"]] },
    { name: "arguments in a header", body: CALL, headers: [["X-Svc-Args", "{}"]] },
  ];
  it.each(claims)("$name is refused", async ({ body, headers = [], fixed = false }) => {
    const checkgw = await start(ALLOW, fixed ? { identity } : {});
    const answer = await ask(checkgw, body, headers);
    expect(JSON.parse(answer.body)).toMatchObject({ decision: "deny", reason_code: "request_malformed" });
    expect(checkgw.asked).toEqual([]);
  });

  it("nobody is denied", async () => {
    const checkgw = await start();
    expect(JSON.parse((await ask(checkgw, { tool: "t" })).body)).toMatchObject({
      reason_code: "agent_unknown",
    });
  });
});

describe("an auth hook pointed at /verdict is refused", () => {
  it.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])("%s is a 405", async (method) => {
    const checkgw = await start();
    const answer = await checkgw.send({ method, target: "/verdict" });
    expect(answer.status).toBe(405);
    expect(answer.headers["allow"]).toBe("POST");
  });

  it.each(["X-Forwarded-Uri", "X-Forwarded-Method", "X-Original-URI", "X-Original-Method", "X-Svc-Tool"])(
    "a POST with %s is a 403, whatever its body says",
    async (name) => {
      const checkgw = await start();
      expect((await ask(checkgw, CALL, [[name, "POST"]])).status).toBe(403);
      expect(checkgw.asked).toEqual([]);
    },
  );
});
