import type { Verdict } from "@svc/contract/verdict";
import { runs } from "@svc/text/testing/runs";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { headerOfName } from "@svc/tool-calls/name-in-header";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { CheckgwSettings } from "./checkgw-settings.ts";
import { ALLOW, startTestCheckgw, type TestAnswer, type TestCheckgw } from "./testing/start-checkgw.ts";

const open: TestCheckgw[] = [];
afterEach(async () => {
  for (const checkgw of open.splice(0)) await checkgw.close();
});

async function start(settings?: Partial<CheckgwSettings>): Promise<TestCheckgw> {
  const checkgw = await startTestCheckgw(ALLOW, settings);
  open.push(checkgw);
  return checkgw;
}

type HeaderPair = readonly [string, string];
const TOOL: HeaderPair = ["X-Svc-Tool", "payments.refund"];
const AGENT: HeaderPair = ["X-Svc-Agent-Id", "agent-1"];
const CALL: readonly HeaderPair[] = [TOOL, AGENT];

function expectRefusal(answer: TestAnswer, checkgw: TestCheckgw, reasonCode: string): void {
  expect(answer.status).toBe(403);
  expect(JSON.parse(answer.body)).toMatchObject({
    decision: "deny",
    reason_code: reasonCode,
    fail_closed: true,
  });
  expect(checkgw.asked).toEqual([]);
}

function b64(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
}

describe("what is asked", () => {
  // proves NAME-03
  it("names that real systems give reach the gateway as they are", async () => {
    const checkgw = await start();
    for (const { text } of loadVectors<{ readonly text: string }>("spellings")) {
      const value = headerOfName(text);
      const names = ["X-Svc-Tool", "X-Svc-Agent-Id", "X-Svc-Session-Id"] as const;
      expect((await checkgw.send({ headers: names.map((name) => [name, value]) })).status).toBe(200);
      expect(checkgw.asked.at(-1)?.call).toMatchObject({ agent_id: text, session_id: text, tool: text });
    }
  });

  // proves CHK-03, CHK-10
  it("every header reaches the gateway", async () => {
    const checkgw = await start();
    const headers: HeaderPair[] = [
      ...CALL,
      ["X-Svc-Session-Id", "s-1"],
      ["X-Svc-Namespace", "ns"],
      ["X-Svc-Args", '{"amount":12}'],
      ["X-Svc-Cost-Usd", "0.25"],
      ["X-Svc-Idempotency-Key", "request-1"],
    ];
    expect((await checkgw.send({ headers })).status).toBe(200);
    expect(checkgw.asked[0]?.call).toEqual({
      agent_id: "agent-1",
      session_id: "s-1",
      tool: "payments.refund",
      args: { amount: 12 },
      namespace: "ns",
      cost_micro_usd: 250_000,
    });
    expect(checkgw.asked[0]?.options?.idempotencyKey).toBe("request-1");
  });

  it("arguments as base64url carry any text", async () => {
    const checkgw = await start();
    await checkgw.send({ headers: [...CALL, ["X-Svc-Args-B64", b64({ note: "für 10 €" })]] });
    expect(checkgw.asked[0]?.call.args).toEqual({ note: "für 10 €" });
  });

  const facts: readonly {
    name: string;
    target?: string;
    method?: string;
    headers: HeaderPair[];
    args: object;
  }[] = [
    { name: "nothing", headers: [], args: {} },
    {
      name: "X-Forwarded-*",
      headers: [
        ["X-Forwarded-Method", "POST"],
        ["X-Forwarded-Uri", "/a/../b%2f?x=1&y=?"],
        ["X-Forwarded-Host", "shop.example:443"],
      ],
      args: { method: "POST", path: "/a/../b%2f", query: "x=1&y=?", host: "shop.example:443" },
    },
    {
      name: "X-Original-*",
      headers: [
        ["X-Original-Method", "GET"],
        ["X-Original-URI", "/orders"],
      ],
      args: { method: "GET", path: "/orders", query: "" },
    },
    {
      name: "the target below /check",
      target: "/check/orders/7?full=1",
      method: "DELETE",
      headers: [],
      args: { method: "DELETE", path: "/orders/7", query: "full=1" },
    },
    {
      name: "two sources that agree",
      target: "/check/orders",
      headers: [
        ["X-Forwarded-Uri", "/orders"],
        ["X-Original-Method", "GET"],
      ],
      args: { method: "GET", path: "/orders", query: "" },
    },
  ];
  it.each(facts)("without arguments: $name", async ({ target = "/check", method = "GET", headers, args }) => {
    const checkgw = await start();
    expect((await checkgw.send({ target, method, headers: [...CALL, ...headers] })).status).toBe(200);
    expect(checkgw.asked[0]?.call.args).toEqual(args);
  });

  it("a forwarded JSON body stands beside the facts", async () => {
    const checkgw = await start();
    const headers: HeaderPair[] = [
      ...CALL,
      ["X-Forwarded-Uri", "/refunds"],
      ["Content-Type", "application/json"],
    ];
    await checkgw.send({ method: "POST", headers, body: '{"amount":12}' });
    expect(checkgw.asked[0]?.call.args).toEqual({ path: "/refunds", query: "", body: { amount: 12 } });
  });
});

describe("F1: identity comes from the configuration or the operator's headers", () => {
  // proves ADP-03
  it("nobody is denied", async () => {
    const checkgw = await start();
    expectRefusal(await checkgw.send({ headers: [TOOL] }), checkgw, "agent_unknown");
  });

  it("a configured agent needs no header and tolerates its own name", async () => {
    const checkgw = await start({ identity: { agentId: "agent-1", namespace: "ns" } });
    expect((await checkgw.send({ headers: [TOOL] })).status).toBe(200);
    expect((await checkgw.send({ headers: [...CALL, ["X-Svc-Namespace", "ns"]] })).status).toBe(200);
    expect(checkgw.asked[0]?.call).toMatchObject({ agent_id: "agent-1", namespace: "ns" });
  });

  // proves ADP-02
  it.each([
    ["X-Svc-Agent-Id", "agent-2"],
    ["X-Svc-Namespace", "other"],
  ] as const)("a %s that says otherwise", async (...pair) => {
    const checkgw = await start({ identity: { agentId: "agent-1", namespace: "ns" } });
    expectRefusal(await checkgw.send({ headers: [TOOL, pair] }), checkgw, "request_malformed");
  });

  it.each(["X-Forwarded-User", "X-Agent-Id", "Authorization", "Cookie", "X-Forwarded-For"])(
    "%s is not an identity",
    async (name) => {
      const checkgw = await start();
      expectRefusal(await checkgw.send({ headers: [TOOL, [name, "agent-1"]] }), checkgw, "agent_unknown");
    },
  );
});

describe("headers that override the method or the path at some backend", () => {
  // proves ADP-06
  it.each(["X-HTTP-Method-Override", "X-Rewrite-URL", "x_original_url", "X.Forwarded.Uri", "PATH_INFO"])(
    "%s is refused",
    async (name) => {
      const checkgw = await start();
      const answer = await checkgw.send({ headers: [...CALL, [name, "DELETE"]] });
      expectRefusal(answer, checkgw, "request_malformed");
    },
  );

  it("X-Original-URL is not: ingress-nginx tells its own request in it", async () => {
    const checkgw = await start();
    const headers: HeaderPair[] = [...CALL, ["X-Original-URL", "https://shop.example/refunds"]];
    expect((await checkgw.send({ headers })).status).toBe(200);
  });
});

describe("F2: one value, one spelling", () => {
  const names = [
    "Tool",
    "Agent-Id",
    "Session-Id",
    "Namespace",
    "Args",
    "Args-B64",
    "Cost-Usd",
    "Idempotency-Key",
  ];
  // proves CHK-07
  it.each(names)("X-Svc-%s twice", async (name) => {
    const checkgw = await start();
    const pair: HeaderPair = [`X-Svc-${name}`, name === "Args" ? "{}" : "1"];
    const others = CALL.filter(([other]) => other !== pair[0]);
    expectRefusal(await checkgw.send({ headers: [...others, pair, pair] }), checkgw, "request_malformed");
  });

  const aliases = [
    "X_Svc_Tool",
    "X.Svc.Tool",
    "x-svc_agent_id",
    "X-Svc.Agent-Id",
    "X_SVC_ARGS",
    "x~svc~tool",
  ].concat(["X-Svc-Decision", "X-Svc-Org-Id", "X-Svc-", "X-Svc-Agent_Id", "X*Svc*Tool", "X-Svc-Toolx"]);
  // proves CHK-07
  it.each(aliases)("%s", async (name) => {
    const checkgw = await start();
    expectRefusal(await checkgw.send({ headers: [...CALL, [name, "1"]] }), checkgw, "request_malformed");
  });

  it("E21: so many headers that a server may drop the one that matters", async () => {
    const checkgw = await start();
    const many = Array.from({ length: 300 }, (_, at): HeaderPair => [`x-${at}`, ""]);
    for (const headers of [
      [...many, ...CALL],
      [...CALL, ...many, AGENT],
    ]) {
      expect((await checkgw.send({ headers })).status).toBeGreaterThanOrEqual(400);
    }
    expect(checkgw.asked).toEqual([]);
  });

  it.each(["X-Svcx-Tool", "X-Svchost", "Svc-Tool", "XSvcTool"])(
    "%s is a stranger and no concern",
    async (name) => {
      const checkgw = await start();
      expect((await checkgw.send({ headers: [...CALL, [name, "1"]] })).status).toBe(200);
    },
  );
});

describe("F3: told facts never decide who calls, and must not contradict one another", () => {
  const contradictions: readonly { name: string; headers: HeaderPair[]; target?: string }[] = [
    {
      name: "two URIs",
      headers: [
        ["X-Forwarded-Uri", "/a"],
        ["X-Original-Uri", "/b"],
      ],
    },
    {
      name: "two methods",
      headers: [
        ["X-Forwarded-Method", "GET"],
        ["X-Original-Method", "POST"],
      ],
    },
    { name: "a URI beside the target", target: "/check/a", headers: [["X-Forwarded-Uri", "/b"]] },
    {
      name: "a repeated URI",
      headers: [
        ["X-Forwarded-Uri", "/a"],
        ["X-Forwarded-Uri", "/a"],
      ],
    },
    { name: "a URI that is none", headers: [["X-Forwarded-Uri", "healthz"]] },
    { name: "an absolute URI", headers: [["X-Original-Uri", "http://h/healthz"]] },
    { name: "a list of hosts", headers: [["X-Forwarded-Host", "a.example, b.example"]] },
    { name: "a method that is none", headers: [["X-Forwarded-Method", "get\t"]] },
  ];
  it.each(contradictions)("$name", async ({ headers, target = "/check" }) => {
    const checkgw = await start();
    const answer = await checkgw.send({ target, headers: [...CALL, ...headers] });
    expectRefusal(answer, checkgw, "request_malformed");
  });

  it.each(["/healthz", "/health", "/check", "/public/x", "/oauth2/callback"])(
    "%s is not skipped",
    async (uri) => {
      const checkgw = await startTestCheckgw({
        ...ALLOW,
        decision: "deny",
        reason: "no",
        reason_code: "rule",
      } as Verdict);
      open.push(checkgw);
      const answer = await checkgw.send({
        headers: [...CALL, ["X-Forwarded-Uri", uri], ["X-Forwarded-Prefix", "/"]],
      });
      expect(answer.status).toBe(403);
      expect(checkgw.asked).toHaveLength(1);
    },
  );
});

describe("F5: what cannot be read is refused, never taken as absent", () => {
  const malformed: Readonly<Record<string, readonly HeaderPair[]>> = {
    "no tool": [AGENT],
    "an empty tool": [AGENT, ["X-Svc-Tool", ""]],
    "an empty session": [...CALL, ["X-Svc-Session-Id", ""]],
    "a tool that is encoded in part": [AGENT, ["X-Svc-Tool", "payments%2refund"]],
    "a tool with an encoded space at its end": [AGENT, ["X-Svc-Tool", "payments%20"]],
    "a list of tools": [AGENT, ["X-Svc-Tool", "payments.refund, orders.read"]],
    "a Cyrillic tool": [AGENT, ["X-Svc-Tool", "рayments.refund".replace("р", "\xF0")]],
    "an over-long tool": [AGENT, ["X-Svc-Tool", "a".repeat(257)]],
    "a non-ASCII agent": [TOOL, ["X-Svc-Agent-Id", "agent-\xE9"]],
    "a session with a tab": [...CALL, ["X-Svc-Session-Id", "a\tb"]],
    "an impossible cost": [...CALL, ["X-Svc-Cost-Usd", "-1"]],
    "a cost with an exponent": [...CALL, ["X-Svc-Cost-Usd", "1e3"]],
    "a long idempotency key": [...CALL, ["X-Svc-Idempotency-Key", "k".repeat(129)]],
    "an idempotency key with a space": [...CALL, ["X-Svc-Idempotency-Key", "a b"]],
    "empty arguments": [...CALL, ["X-Svc-Args", ""]],
    "truncated arguments": [...CALL, ["X-Svc-Args", '{"amount":12']],
    "two documents": [...CALL, ["X-Svc-Args", "{}{}"]],
    "an array": [...CALL, ["X-Svc-Args", "[]"]],
    null: [...CALL, ["X-Svc-Args", "null"]],
    "E3: duplicate keys": [...CALL, ["X-Svc-Args", '{"amount":1,"amount":2}']],
    "E1: a prototype key": [...CALL, ["X-Svc-Args", '{"__proto__":{"amount":1}}']],
    "non-ASCII arguments": [...CALL, ["X-Svc-Args", '{"note":"\xFC"}']],
    "base64 of no JSON": [...CALL, ["X-Svc-Args-B64", b64("nothing")]],
    "base64 of an array": [...CALL, ["X-Svc-Args-B64", b64([])]],
    "base64 of invalid UTF-8": [
      ...CALL,
      ["X-Svc-Args-B64", Buffer.from('{"a":"\xFF"}', "latin1").toString("base64url")],
    ],
    "not base64": [...CALL, ["X-Svc-Args-B64", "e30!"]],
    "base64 with the other alphabet": [...CALL, ["X-Svc-Args-B64", `${b64({ a: "???>>>" })}+/`]],
    "base64 with stray bits": [...CALL, ["X-Svc-Args-B64", "e31"]],
    "both forms of arguments": [...CALL, ["X-Svc-Args", "{}"], ["X-Svc-Args-B64", "e30"]],
    "over-long arguments": [...CALL, ["X-Svc-Args", JSON.stringify({ note: "x".repeat(8 * 1024) })]],
  };
  // proves CHK-07
  it.each(Object.entries(malformed))("%s", async (_, headers) => {
    const checkgw = await start();
    expectRefusal(await checkgw.send({ headers }), checkgw, "request_malformed");
  });

  const json: HeaderPair = ["Content-Type", "application/json"];
  const bodies: readonly { name: string; headers: HeaderPair[]; body: string | Uint8Array }[] = [
    { name: "no content type", headers: [], body: "{}" },
    { name: "E7: text", headers: [["Content-Type", "text/plain"]], body: "{}" },
    { name: "E7: two content types", headers: [json, json], body: "{}" },
    { name: "a form", headers: [["Content-Type", "application/x-www-form-urlencoded"]], body: "amount=1" },
    { name: "truncated JSON", headers: [json], body: '{"amount":12' },
    { name: "E3: duplicate keys", headers: [json], body: '{"a":1,"a":2}' },
    { name: "E6: an encoded body", headers: [json, ["Content-Encoding", "gzip"]], body: "{}" },
    { name: "E5: an over-long body", headers: [json], body: JSON.stringify("x".repeat(256 * 1024)) },
    { name: "a body beside an args header", headers: [json, ["X-Svc-Args", "{}"]], body: "{}" },
  ];
  it.each(bodies)("a body: $name", async ({ headers, body }) => {
    const checkgw = await start();
    const answer = await checkgw.send({ method: "POST", headers: [...CALL, ...headers], body });
    expectRefusal(answer, checkgw, "request_malformed");
  });
});

describe("over random requests", () => {
  const names = ["X-Svc-Tool", "X-Svc-Agent-Id", "x-svc-session-id", "X-Svc-Namespace", "X-Svc-Args"]
    .concat(["X-Svc-Args-B64", "X-Svc-Cost-Usd", "X-Svc-Idempotency-Key", "X_Svc_Tool", "X.Svc.Agent.Id"])
    .concat(["X-Forwarded-Uri", "X-Original-Uri", "X-Forwarded-Method", "Accept", "Content-Encoding"]);
  const name = fc.constantFrom(...names, "X-Svc-Decision");
  const value = fc.oneof(
    fc.constantFrom(
      "payments.refund",
      "agent-1",
      "{}",
      "e30",
      "0.1",
      "/a",
      "GET",
      "",
      '{"a":1',
      "text/plain",
    ),
    fc.string({
      unit: fc.mapToConstant(
        { num: 95, build: (at) => String.fromCharCode(0x20 + at) },
        { num: 96, build: (at) => String.fromCharCode(0xa0 + at) },
      ),
      maxLength: 12,
    }),
  );
  const headers = fc.array(fc.tuple(name, value), { maxLength: 8 });
  const verdict = fc.constantFrom<Verdict>(
    ALLOW,
    { ...ALLOW, args_constrained: true, shaped_args: {} },
    { decision: "deny", args_constrained: false, reason: "no", reason_code: "rule", fail_closed: false },
    {
      decision: "pause",
      decision_id: "g.1",
      args_constrained: false,
      reason: "ask",
      reason_code: "approval_required",
      approval_url: "https://svc.example/approvals/1",
    },
  );

  // proves CHK-02, CHK-08
  it("I10: the status is 200 exactly when the gateway was asked and allowed", async () => {
    let answerOfGateway: Verdict = ALLOW;
    const checkgw = await startTestCheckgw(() => Promise.resolve(answerOfGateway));
    open.push(checkgw);
    let allowed = 0;
    const property = fc.asyncProperty(
      headers,
      verdict,
      fc.boolean(),
      async (pairs, gatewayVerdict, isCall) => {
        answerOfGateway = gatewayVerdict;
        checkgw.asked.splice(0);
        const answer = await checkgw.send({ headers: isCall ? [...CALL, ...pairs] : pairs });
        const mayPass = checkgw.asked.length === 1 && gatewayVerdict.decision === "allow";
        expect(answer.status).toBe(mayPass ? 200 : 403);
        expect(answer.headers["x-svc-decision"]).toBe(
          checkgw.asked.length === 1 ? gatewayVerdict.decision : "deny",
        );
        if (mayPass) allowed += 1;
      },
    );
    await fc.assert(property, { numRuns: runs(600, 6_000) });
    expect(allowed).toBeGreaterThan(0);
    expect(checkgw.defects).toEqual([]);
  });
});
