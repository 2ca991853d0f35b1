import { failClosedDeny } from "@svc/contract/verdict";
import { type AllowedHosts, LOOPBACK_HOSTS } from "@svc/http-edge/host-check";
import { afterEach, describe, expect, it } from "vitest";
import { blockAnswer } from "./guardrail/judge-guardrail.ts";
import {
  ALLOW,
  startTestCheckgw,
  type TestAnswer,
  type TestCheckgw,
  type TestRequest,
} from "./testing/start-checkgw.ts";

const open: TestCheckgw[] = [];
afterEach(async () => {
  for (const checkgw of open.splice(0)) await checkgw.close();
});

/** Blocks what is refused, and would let everything else pass. */
async function start(allowedHosts: AllowedHosts = LOOPBACK_HOSTS): Promise<TestCheckgw> {
  const checkgw = await startTestCheckgw(ALLOW, { allowedHosts }, async (_request, dialect, refusal) => {
    if (refusal === undefined) throw new Error("judged");
    const verdict = failClosedDeny("request_malformed", refusal);
    return blockAnswer(dialect, { verdict, tool: null, enforced: true });
  });
  open.push(checkgw);
  return checkgw;
}

const WEBHOOKS = [
  ["/guardrail/portkey", '"verdict":false'],
  ["/guardrail", '"verdict":false'],
  ["/beta/litellm_basic_guardrail_api", '"action":"BLOCKED"'],
  ["/guardrail/agentgateway/request", '"status_code":403'],
  ["/request", '"status_code":403'],
  ["/response", '"status_code":403'],
] as const;

const JSON_TYPE = ["Content-Type", "application/json"] as const;
const CALL = JSON.stringify({ agent_id: "agent-1", tool: "t" });
type HeaderPair = readonly [string, string];

const post = (target: string, headers: readonly HeaderPair[] = []): TestRequest => ({
  method: "POST",
  target,
  headers: [JSON_TYPE, ...headers],
  body: CALL,
});
const check = (target: string, headers: readonly HeaderPair[] = []): TestRequest => ({
  target,
  headers: [["X-Svc-Tool", "t"], ["X-Svc-Agent-Id", "agent-1"], ...headers],
});

/** The test client sends this name unless a test sends another one. */
const withHost = (request: TestRequest, host: string): TestRequest => ({ ...request, host });

async function metrics(checkgw: TestCheckgw): Promise<string> {
  return checkgw.registry.metrics();
}

const isRefusedBlock = (answer: TestAnswer, block: string): void => {
  expect(answer.status).toBe(200);
  expect(answer.body).toContain(block);
};

// proves CHK-20, OPS-34
describe("M12: a Host that does not name the adapter", () => {
  const FOREIGN = ["evil.example", "evil.example:9004", "127.0.0.1.evil.example", "localhost@evil.example"];

  it.each(FOREIGN)("%s is refused on every path, and nobody is asked", async (host) => {
    const checkgw = await start();
    for (const request of [
      check("/check"),
      check("/check/orders?x=1"),
      post("/verdict"),
      check("/healthz"),
    ]) {
      const answer = await checkgw.send(withHost(request, host));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(404);
      expect(answer.headers["x-svc-decision"]).not.toBe("allow");
    }
    for (const [target, block] of WEBHOOKS) {
      const answer = await checkgw.send(withHost(post(target), host));
      // A frame that other parsers could read differently is refused before the path counts.
      if (answer.status !== 400) isRefusedBlock(answer, block);
    }
    expect(checkgw.asked).toEqual([]);
    expect(checkgw.defects).toEqual([]);
  });

  it("gets a message that names the variable, and is counted", async () => {
    const checkgw = await start({ ...LOOPBACK_HOSTS, variable: "SVC_CHECKGW_ALLOWED_HOSTS" });
    const answer = await checkgw.send(withHost(check("/check"), "checkgw.internal"));
    expect([answer.status, answer.headers["x-svc-decision"]]).toEqual([403, "deny"]);
    expect(answer.headers["x-svc-reason"]).toContain("add it to SVC_CHECKGW_ALLOWED_HOSTS");
    const verdict = await checkgw.send(withHost(post("/verdict"), "checkgw.internal"));
    expect(JSON.parse(verdict.body)).toMatchObject({ code: "host_not_allowed", status: 403 });
    expect(await metrics(checkgw)).toContain('svc_checkgw_refusals_total{cause="host"} 2');
  });

  it.each(["localhost", "LOCALHOST:9004", "127.0.0.1:1", "[::1]:9004"])("%s is its own", async (host) => {
    const checkgw = await start();
    expect((await checkgw.send(withHost(check("/check"), host))).status).toBe(200);
  });
});

// proves CHK-21
describe.each(["Origin", "Sec-Fetch-Site"])("a request that carries %s comes from a page", (name) => {
  const browser: HeaderPair = [name, name === "Origin" ? "http://127.0.0.1" : "same-origin"];

  it("is refused at /verdict and at the webhooks, and counted", async () => {
    const checkgw = await start();
    const answer = await checkgw.send(post("/verdict", [browser]));
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([403, "forbidden"]);
    // The caller sent no key.
    expect(JSON.parse(answer.body).title).toBe("This key or client may not do that");
    for (const [target, block] of WEBHOOKS)
      isRefusedBlock(await checkgw.send(post(target, [browser])), block);
    expect(checkgw.asked).toEqual([]);
    const count = 1 + WEBHOOKS.length;
    expect(await metrics(checkgw)).toContain(`svc_checkgw_refusals_total{cause="browser"} ${String(count)}`);
  });

  it("may be asked about at /check: a proxy passes the headers of its own client on", async () => {
    const checkgw = await start();
    expect((await checkgw.send(check("/check", [browser]))).status).toBe(200);
    expect(checkgw.asked).toHaveLength(1);
  });
});

// proves CHK-22
describe("a query", () => {
  it.each(["?", "?tool=other", "?dry_run=true"])("%s is refused where nothing reads it", async (query) => {
    const checkgw = await start();
    const answer = await checkgw.send(post(`/verdict${query}`));
    expect([answer.status, JSON.parse(answer.body).detail]).toEqual([400, expect.stringContaining("query")]);
    for (const [target, block] of WEBHOOKS)
      isRefusedBlock(await checkgw.send(post(`${target}${query}`)), block);
    expect(checkgw.asked).toEqual([]);
  });

  it("is the client's own at /check", async () => {
    const checkgw = await start();
    expect((await checkgw.send(check("/check?x=1"))).status).toBe(200);
    expect((await checkgw.send(check("/check/orders?x=1"))).status).toBe(200);
  });
});

// proves CHK-23
it("counts requests by path and result, questions, refusals by cause, and its own time", async () => {
  const checkgw = await start();
  await checkgw.send(check("/check"));
  await checkgw.send({ target: "/check" });
  await checkgw.send(post("/verdict"));
  await checkgw.send({ target: "/verdict" });
  await checkgw.send({ target: "/wrong" });
  await checkgw.send({ target: "/healthz" });
  const text = await metrics(checkgw);
  expect(text.split("\n")).toEqual(
    expect.arrayContaining([
      'svc_checkgw_requests_total{path="check",result="allow"} 1',
      'svc_checkgw_requests_total{path="check",result="fail_closed"} 1',
      'svc_checkgw_requests_total{path="verdict",result="allow"} 1',
      'svc_checkgw_requests_total{path="verdict",result="refused"} 1',
      'svc_checkgw_requests_total{path="unmatched",result="refused"} 1',
      'svc_checkgw_requests_total{path="healthz",result="ok"} 1',
      'svc_checkgw_questions_total{path="check"} 1',
      'svc_checkgw_questions_total{path="verdict"} 1',
      'svc_checkgw_refusals_total{cause="method"} 1',
      'svc_checkgw_refusals_total{cause="unmatched"} 1',
      'svc_checkgw_refusals_total{cause="host"} 0',
      'svc_checkgw_own_duration_seconds_count{path="check"} 2',
    ]),
  );
});
