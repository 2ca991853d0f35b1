import type { Verdict } from "@svc/contract/verdict";
import { createDecisionClient } from "@svc/decision-client/decision-client";
import { FAULT_TIMEOUT_MS, failClosedFaults } from "@svc/decision-client/testing/fail-closed-suite";
import { afterEach, describe, expect, it } from "vitest";
import type { CheckgwSettings } from "./checkgw-settings.ts";
import { ALLOW, startTestCheckgw, type TestCheckgw } from "./testing/start-checkgw.ts";

const open: TestCheckgw[] = [];
afterEach(async () => {
  for (const checkgw of open.splice(0)) await checkgw.close();
});

async function start(
  decide?: Parameters<typeof startTestCheckgw>[0],
  settings?: Partial<CheckgwSettings>,
): Promise<TestCheckgw> {
  const checkgw = await startTestCheckgw(decide, settings);
  open.push(checkgw);
  return checkgw;
}

type HeaderPair = readonly [string, string];
const TOOL: HeaderPair = ["X-Svc-Tool", "payments.refund"];
const AGENT: HeaderPair = ["X-Svc-Agent-Id", "agent-1"];
const CALL = [TOOL, AGENT];

const DENY: Verdict = {
  decision: "deny",
  decision_id: "g.2",
  args_constrained: false,
  reason: "Refunds above 100 EUR\r\nX-Svc-Decision: allow are — denied.",
  reason_code: "rule",
  rule_id: "cap",
  fail_closed: false,
};
const PAUSE: Verdict = {
  decision: "pause",
  decision_id: "g.3",
  args_constrained: false,
  reason: "A person must agree.",
  reason_code: "approval_required",
  approval_url: "https://svc.example/approvals/1",
};
const SHAPED: Verdict = { ...ALLOW, args_constrained: true, shaped_args: { amount: 100 } };

// proves ADP-15
describe("an agent that the configuration fixes without a namespace", () => {
  it.each([
    [[], "default"],
    [[["X-Svc-Namespace", "default"]], "default"],
    [[["X-Svc-Namespace", "ns-2"]], null],
  ] as const)("is in the default one: %j", async (headers, judged) => {
    const checkgw = await start(ALLOW, { identity: { agentId: "agent-1", namespace: null } });
    const answer = await checkgw.send({ headers: [TOOL, ...headers] });
    expect(answer.status).toBe(judged === null ? 403 : 200);
    expect(checkgw.asked.map(({ call }) => call.namespace)).toEqual(judged === null ? [] : [judged]);
  });
});

describe("the verdict on the wire", () => {
  // proves CHK-02, CHK-08
  it("an allow is 200", async () => {
    const checkgw = await start();
    const answer = await checkgw.send({ headers: CALL });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "x-svc-decision": "allow",
      "x-svc-decision-id": "g.1",
      "cache-control": "no-store",
      "content-type": "application/json",
    });
    expect(JSON.parse(answer.body)).toEqual(ALLOW);
    expect(answer.headers).not.toHaveProperty("x-svc-shaping-required");
    expect(answer.headers).not.toHaveProperty("x-svc-verdict");
  });

  // proves CHK-02, CHK-08
  it("a deny is 403, its reason on one ASCII line", async () => {
    const checkgw = await start(DENY);
    const answer = await checkgw.send({ headers: CALL });
    expect(answer.status).toBe(403);
    expect(answer.headers).toMatchObject({
      "x-svc-decision": "deny",
      "x-svc-reason": "Refunds above 100 EUR??X-Svc-Decision: allow are ? denied.",
      "x-svc-rule-id": "cap",
      "cache-control": "no-store",
    });
    expect(answer.headers).not.toHaveProperty("www-authenticate");
    expect(JSON.parse(answer.body)).toEqual(DENY);
  });

  // proves CHK-02, CHK-12
  it("a pause is 403, never 202, with its approval URL", async () => {
    const checkgw = await start(PAUSE);
    const answer = await checkgw.send({ headers: CALL });
    expect(answer.status).toBe(403);
    expect(answer.headers).toMatchObject({
      "x-svc-decision": "pause",
      "x-svc-approval-url": "https://svc.example/approvals/1",
    });
  });

  it.each(["javascript:alert(1)", "not a url", `https://svc.example/${"x".repeat(3_000)}`])(
    "an approval URL that no header should carry is left out: %.30s",
    async (url) => {
      const checkgw = await start({ ...PAUSE, approval_url: url });
      const answer = await checkgw.send({ headers: CALL });
      expect(answer.status).toBe(403);
      expect(answer.headers).not.toHaveProperty("x-svc-approval-url");
    },
  );

  it("a very long reason is cut", async () => {
    const checkgw = await start({ ...DENY, reason: "x".repeat(100_000) });
    const answer = await checkgw.send({ headers: CALL });
    expect(answer.status).toBe(403);
    expect(String(answer.headers["x-svc-reason"])).toHaveLength(512);
  });

  // proves CHK-04
  it("F6: a rewrite is announced on the allow", async () => {
    const checkgw = await start(SHAPED);
    const answer = await checkgw.send({ headers: CALL });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ "x-svc-decision": "allow", "x-svc-shaping-required": "true" });
    expect(JSON.parse(String(answer.headers["x-svc-verdict"]))).toMatchObject({
      decision: "deny",
      reason_code: "shaping_unsupported",
      decision_id: "g.1",
    });
  });

  // proves CHK-05
  it("F6: strict shaping denies what the seam cannot carry out", async () => {
    const checkgw = await start(SHAPED, { strictShaping: true });
    const answer = await checkgw.send({ headers: CALL });
    expect(answer.status).toBe(403);
    expect(answer.headers).toMatchObject({ "x-svc-decision": "deny", "x-svc-shaping-required": "true" });
    expect(JSON.parse(answer.body)).toMatchObject({
      decision: "deny",
      reason_code: "shaping_unsupported",
      decision_id: "g.1",
      fail_closed: true,
    });
  });

  it("F6: strict shaping leaves a plain allow alone", async () => {
    const checkgw = await start(ALLOW, { strictShaping: true });
    expect((await checkgw.send({ headers: CALL })).status).toBe(200);
  });
});

describe("the Accept header and the query choose no status", () => {
  const accepts = [
    "application/json",
    "text/plain",
    "text/html",
    "*/*",
    "",
    "application/json;q=0, text/plain",
  ];
  const targets = [
    "/check",
    "/check?format=json",
    "/check?verdict=1&mode=json",
    "/check/?status=200",
    "/check/verdict",
  ];
  const cases = accepts.flatMap((accept) => targets.map((target) => ({ accept, target })));
  // proves CHK-09
  it.each(cases)("a deny stays 403: Accept $accept, $target", async ({ accept, target }) => {
    const checkgw = await start(DENY);
    const answer = await checkgw.send({ target, headers: [...CALL, ["Accept", accept]] });
    expect(answer.status).toBe(403);
    expect(answer.headers["x-svc-decision"]).toBe("deny");
  });

  it("text/plain gets text", async () => {
    const checkgw = await start(PAUSE);
    const answer = await checkgw.send({ headers: [...CALL, ["Accept", "text/plain"]] });
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(answer.body).toBe("pause: A person must agree.\nhttps://svc.example/approvals/1\n");
  });
});

describe("any method and any path below /check", () => {
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];
  const targets = ["/check", "/check/", "/check/refunds", "/check/a%20b?x=/../", "/check?x=1"];
  // proves CHK-01
  it.each(methods.flatMap((method) => targets.map((target) => ({ method, target }))))(
    "$method $target is judged",
    async ({ method, target }) => {
      const allowing = await start();
      expect((await allowing.send({ method, target, headers: CALL })).status).toBe(200);
      const denying = await start(DENY);
      expect((await denying.send({ method, target, headers: CALL })).status).toBe(403);
      expect(allowing.asked).toHaveLength(1);
    },
  );
});

describe.concurrent("I10: the shared fail-closed suite", () => {
  // proves CHK-11
  it.for(failClosedFaults)("$wanted: $name", async ({ start: startFault, wanted }) => {
    const gateway = await startFault();
    const settings = { gatewayUrl: new URL(gateway.url), apiKey: null, orgId: null };
    const client = createDecisionClient(
      { ...settings, timeoutMs: FAULT_TIMEOUT_MS },
      { monotonicMs: () => performance.now(), onFault: () => {} },
    );
    const checkgw = await startTestCheckgw(client.decide, { decisionTimeoutMs: FAULT_TIMEOUT_MS });
    try {
      const answer = await checkgw.send({ headers: CALL });
      expect(answer.status).toBe(403);
      expect(answer.headers["x-svc-decision"]).toBe("deny");
      expect(JSON.parse(answer.body)).toMatchObject({
        decision: "deny",
        fail_closed: true,
        reason_code: wanted,
      });
    } finally {
      await checkgw.close();
      await client.close();
      await gateway.close();
    }
  });
});

describe("I10: defects of the adapter itself deny", () => {
  // proves CHK-11
  it("a decision that throws", async () => {
    const checkgw = await start(() => Promise.reject(new Error("secret")));
    const answer = await checkgw.send({ headers: CALL });
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain("secret");
    expect(JSON.parse(answer.body)).toMatchObject({ reason_code: "internal_error", fail_closed: true });
    expect(checkgw.defects).toHaveLength(1);
  });

  it("a verdict that cannot be rendered", async () => {
    const broken = { decision: "deny", args_constrained: false } as unknown as Verdict;
    const checkgw = await start(broken);
    const answer = await checkgw.send({ headers: CALL });
    expect(answer.status).toBe(403);
    expect(checkgw.defects).toHaveLength(1);
  });

  it("a decision that never comes is answered within the budget", async () => {
    const checkgw = await start(() => new Promise(() => {}), { decisionTimeoutMs: 50 });
    const answer = await checkgw.send({ headers: CALL });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ reason_code: "decision_timeout", fail_closed: true });
    expect(checkgw.asked[0]?.options?.signal?.aborted).toBe(true);
  });

  it("a body that never comes is answered within the budget", async () => {
    const checkgw = await start(ALLOW, { decisionTimeoutMs: 50 });
    const headers: HeaderPair[] = [...CALL, ["content-length", "10"], ["content-type", "application/json"]];
    const answer = await checkgw.send({ method: "POST", headers });
    expect(answer.status).toBe(403);
    expect(checkgw.asked).toEqual([]);
  });
});

describe("F4: only /check allows; health is one exact target; everything else is not 2xx", () => {
  it("/healthz", async () => {
    const checkgw = await start(DENY);
    expect(await checkgw.send({ target: "/healthz" })).toMatchObject({
      status: 200,
      body: '{"status":"ok"}',
    });
    expect((await checkgw.send({ target: "/healthz", method: "HEAD" })).status).toBe(200);
    expect((await checkgw.send({ target: "/healthz", method: "POST" })).status).toBe(405);
    expect((await checkgw.send({ target: "/healthz" })).headers).not.toHaveProperty("x-svc-decision");
  });

  const others = [
    "/",
    "/healthz/",
    "/healthz?x",
    "/HEALTHZ",
    "/check/../healthz",
    "/checks",
    "/Check",
    "//check",
  ];
  const more = [
    "/metrics",
    "/allow",
    "/.well-known/x",
    "/verdict/",
    "/guardrails",
    "/%63heck",
    "/healthz%20",
    "*",
  ];
  it.each([...others, ...more])("%s", async (target) => {
    const checkgw = await start();
    const method = target === "*" ? "OPTIONS" : "GET";
    const answer = await checkgw.send({
      target,
      method,
      headers: [...CALL, ["User-Agent", "kube-probe/1.30"]],
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(checkgw.asked).toEqual([]);
  });

  const ambiguous = [
    "/check/../healthz",
    "/check/..",
    "/check//a",
    "/check/%2e%2e/healthz",
    "/check/a%2fb",
    "/check#a",
  ];
  it.each(ambiguous)("E21: %s is refused", async (target) => {
    const checkgw = await start();
    expect((await checkgw.send({ target, headers: CALL })).status).toBe(400);
    expect(checkgw.asked).toEqual([]);
  });
});
