import type { ExecuteRequest } from "@svc/contract/execute-request";
import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import type { DenyVerdict } from "@svc/contract/verdict";
import { afterEach, describe, expect, it } from "vitest";
import { createDecisionClient, type DecisionClient } from "./decision-client.ts";
import { ALLOW_BODY } from "./testing/answers.ts";
import { FAULT_TIMEOUT_MS, failClosedFaults } from "./testing/fail-closed-suite.ts";
import { type FaultyGateway, startHttpGateway } from "./testing/faulty-gateway.ts";

const CALL: ExecuteRequest = {
  agent_id: "agent-1",
  session_id: null,
  tool: "payments.refund",
  args: { amount: 12 },
  namespace: null,
  cost_micro_usd: null,
};

/** Long enough for a busy machine: nothing that should answer may time out. */
const PATIENT_MS = 10_000;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface ClientOptions {
  readonly timeoutMs?: number;
  readonly apiKey?: string;
  readonly orgId?: string;
  readonly onFault?: (deny: DenyVerdict) => void;
}

function clientOf(url: string, options: ClientOptions = {}): DecisionClient {
  const { timeoutMs = PATIENT_MS, apiKey = null, orgId = null, onFault = () => {} } = options;
  const settings = { gatewayUrl: new URL(url), apiKey, orgId, timeoutMs };
  const client = createDecisionClient(settings, { monotonicMs: () => performance.now(), onFault });
  open.push(() => client.close());
  return client;
}

async function keep(starting: Promise<FaultyGateway>): Promise<FaultyGateway> {
  const gateway = await starting;
  open.push(() => gateway.close());
  return gateway;
}

interface Seen {
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly port: number | undefined;
}

/** A gateway that answers every call with the same body and keeps what it saw. */
async function startScripted(body: string = ALLOW_BODY): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const gateway = await keep(
    startHttpGateway((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { url, headers, socket } = request;
        seen.push({ url, headers, body: Buffer.concat(chunks).toString(), port: socket.remotePort });
        response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(body);
      });
    }),
  );
  return { url: gateway.url, seen };
}

describe("a readable verdict is passed on unchanged", () => {
  const verdicts = [
    { decision: "allow", decision_id: "g.1", args_constrained: false },
    { decision: "allow", decision_id: "g.1", args_constrained: true, shaped_args: { amount: 10 } },
    {
      decision: "deny",
      decision_id: "g.1",
      args_constrained: false,
      reason: "no",
      reason_code: "rule",
      rule_id: "r",
      fail_closed: false,
    },
    {
      decision: "pause",
      decision_id: "g.1",
      args_constrained: false,
      reason: "ask",
      reason_code: "approval_required",
      approval_url: "https://svc.example/approvals/1",
    },
  ];
  it.each(verdicts)("$decision, constrained $args_constrained", async (verdict) => {
    const { url } = await startScripted(JSON.stringify(verdict));
    expect({ ...(await clientOf(url).decide(CALL)) }).toEqual(verdict);
  });

  it("of exactly the largest size", async () => {
    const { url } = await startScripted(ALLOW_BODY.padEnd(MAX_VERDICT_BYTES));
    expect(await clientOf(url).decide(CALL)).toMatchObject({ decision: "allow" });
  });
});

describe("what is sent", () => {
  it("is the execute request, with nothing that the caller did not name", async () => {
    const { url, seen } = await startScripted();
    await clientOf(url).decide(CALL);
    expect(seen[0]?.url).toBe("/api/v1/gateway/execute");
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual({
      agent_id: "agent-1",
      tool: "payments.refund",
      args: { amount: 12 },
    });
    expect(seen[0]?.headers).not.toHaveProperty("authorization");
    expect(seen[0]?.headers).not.toHaveProperty("x-svc-org-id");
  });

  // proves ADP-04
  it("carries every field, the key, the organization and the idempotency key", async () => {
    const { url, seen } = await startScripted();
    const call = { ...CALL, session_id: "s-1", namespace: "ns", cost_micro_usd: 1_500_000 };
    const client = clientOf(`${url}/prefix/`, { apiKey: "svc_id_secret", orgId: "org-1" });
    await client.decide(call, { idempotencyKey: "request-1" });
    expect(seen[0]?.url).toBe("/prefix/api/v1/gateway/execute");
    expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({
      session_id: "s-1",
      namespace: "ns",
      cost_usd: "1.5",
    });
    expect(seen[0]?.headers).toMatchObject({
      authorization: "Bearer svc_id_secret",
      "x-svc-org-id": "org-1",
      "idempotency-key": "request-1",
    });
  });

  // proves FAIL-07
  it.each(["closes", "answers 503", "hangs"])("is asked once when the gateway %s", async (how) => {
    let calls = 0;
    const gateway = await keep(
      startHttpGateway((request, response) => {
        calls += 1;
        request.resume();
        if (how === "closes") request.on("end", () => response.destroy());
        if (how === "answers 503") response.writeHead(503, { "retry-after": "0" }).end();
      }),
    );
    const client = clientOf(gateway.url, { timeoutMs: FAULT_TIMEOUT_MS });
    expect(await client.decide(CALL)).toMatchObject({ decision: "deny", fail_closed: true });
    expect(calls).toBe(1);
  });

  it("never goes into a connection that the gateway has closed meanwhile", async () => {
    const ports: (number | undefined)[] = [];
    const gateway = await keep(
      startHttpGateway((request, response) => {
        ports.push(request.socket.remotePort);
        request.resume();
        response.writeHead(200, { "content-type": "application/json" }).end(ALLOW_BODY);
        response.on("finish", () => setImmediate(() => request.socket.destroy()));
      }),
    );
    const client = clientOf(gateway.url);
    for (let count = 0; count < 3; count += 1) {
      expect(await client.decide(CALL)).toMatchObject({ decision: "allow" });
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
    expect(new Set(ports).size).toBe(3);
  });

  it("goes over kept connections when calls come one after another", async () => {
    const { url, seen } = await startScripted();
    const client = clientOf(url);
    for (let count = 0; count < 20; count += 1) await client.decide(CALL);
    expect(new Set(seen.map(({ port }) => port)).size).toBeLessThanOrEqual(2);
  });
});

describe.concurrent("I10: no fault becomes an allow", () => {
  // proves FAIL-01, FAIL-02, FAIL-03, FAIL-04, FAIL-05, FAIL-06, FAIL-08
  it.for(failClosedFaults)("$wanted: $name", async ({ start, wanted }) => {
    const gateway = await start();
    const faults: DenyVerdict[] = [];
    const settings = { gatewayUrl: new URL(gateway.url), apiKey: "svc_id_secret", orgId: null };
    const client = createDecisionClient(
      { ...settings, timeoutMs: FAULT_TIMEOUT_MS },
      { monotonicMs: () => performance.now(), onFault: (deny) => faults.push(deny) },
    );
    try {
      const verdict = await client.decide(CALL);
      expect(verdict).toMatchObject({ decision: "deny", reason_code: wanted, fail_closed: true });
      expect(verdict.args_constrained).toBe(false);
      expect(JSON.stringify(verdict)).not.toContain("secret");
      expect(faults).toEqual([verdict]);
    } finally {
      await client.close();
      await gateway.close();
    }
  });
});

describe("the deadline", () => {
  it("an answer that comes too late is not taken for the next call's", async () => {
    let calls = 0;
    const gateway = await keep(
      startHttpGateway((request, response) => {
        request.resume();
        calls += 1;
        const body = calls === 1 ? ALLOW_BODY : '{"decision":"unreadable"}';
        const send = (): void =>
          void response.writeHead(200, { "content-type": "application/json" }).end(body);
        if (calls === 1) setTimeout(send, 2 * FAULT_TIMEOUT_MS);
        else send();
      }),
    );
    const client = clientOf(gateway.url, { timeoutMs: FAULT_TIMEOUT_MS });
    expect(await client.decide(CALL)).toMatchObject({ reason_code: "decision_timeout" });
    expect(await client.decide(CALL)).toMatchObject({ reason_code: "verdict_unreadable" });
  });

  // proves FAIL-02
  it("an allow that was read after the deadline is a deny, even when no timer fired", async () => {
    const { url } = await startScripted();
    let now = 0;
    const settings = { gatewayUrl: new URL(url), apiKey: null, orgId: null, timeoutMs: PATIENT_MS };
    const monotonicMs = (): number => {
      now += PATIENT_MS;
      return now;
    };
    const client = createDecisionClient(settings, { monotonicMs, onFault: () => {} });
    open.push(() => client.close());
    expect(await client.decide(CALL)).toMatchObject({ decision: "deny", reason_code: "decision_timeout" });
  });

  it.each(["before", "while"])("a caller that gives up %s asking gets a deny", async (when) => {
    const gateway = await keep(startHttpGateway(() => {}));
    const controller = new AbortController();
    if (when === "before") controller.abort();
    const deciding = clientOf(gateway.url).decide(CALL, { signal: controller.signal });
    controller.abort();
    expect(await deciding).toMatchObject({
      decision: "deny",
      reason_code: "decision_timeout",
      fail_closed: true,
    });
  });
});

describe("it never rejects and never throws", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const hostile: Readonly<Record<string, unknown>> = {
    "no call": undefined,
    null: null,
    "a string": "allow",
    "no args": { ...CALL, args: undefined },
    "a cycle": { ...CALL, args: cycle },
    "a big integer": { ...CALL, args: { amount: 1n } },
    NaN: { ...CALL, args: { amount: Number.NaN } },
    "a function": { ...CALL, args: { run: () => "allow" } },
    "args that write themselves as others": { ...CALL, args: { toJSON: () => ({}) } },
    "a throwing getter": Object.defineProperty({ ...CALL }, "args", {
      get: () => {
        throw new Error("secret");
      },
    }),
    "a proxy that throws": new Proxy(CALL, {
      get: () => {
        throw new Error("secret");
      },
    }),
    "an impossible cost": { ...CALL, cost_micro_usd: 1n },
  };
  it.each(Object.entries(hostile))("%s", async (_, call) => {
    const { url, seen } = await startScripted();
    const verdict = await clientOf(url).decide(call as ExecuteRequest);
    expect(verdict).toMatchObject({ decision: "deny", fail_closed: true, reason_code: "request_malformed" });
    expect(JSON.stringify(verdict)).not.toContain("secret");
    expect(seen).toEqual([]);
  });

  it.each(["", "a b", "a\r\nx-svc-org-id: other", "é", "x".repeat(129)])(
    "the idempotency key %j",
    async (key) => {
      const { url, seen } = await startScripted();
      const verdict = await clientOf(url).decide(CALL, { idempotencyKey: key });
      expect(verdict).toMatchObject({ decision: "deny", reason_code: "request_malformed" });
      expect(seen).toEqual([]);
    },
  );

  it("hostile options", async () => {
    const { url } = await startScripted();
    const options = Object.defineProperty({}, "signal", {
      get: () => {
        throw new Error("secret");
      },
    });
    expect(await clientOf(url).decide(CALL, options)).toMatchObject({ decision: "deny", fail_closed: true });
  });

  it("an observer that throws does not undo the deny", async () => {
    const gateway = await keep(startHttpGateway((_, response) => response.writeHead(503).end()));
    const onFault = (): never => {
      throw new Error("the log is full");
    };
    expect(await clientOf(gateway.url, { onFault }).decide(CALL)).toMatchObject({
      reason_code: "gateway_refused",
    });
  });

  it("a clock that fails when the answer is in does not leave the caller waiting", async () => {
    const { url } = await startScripted();
    let reads = 0;
    const monotonicMs = (): number => {
      reads += 1;
      if (reads > 1) throw new Error("no clock");
      return 0;
    };
    const settings = { gatewayUrl: new URL(url), apiKey: null, orgId: null, timeoutMs: PATIENT_MS };
    const client = createDecisionClient(settings, { monotonicMs, onFault: () => {} });
    open.push(() => client.close());
    expect(await client.decide(CALL)).toMatchObject({ decision: "deny", reason_code: "internal_error" });
  });

  it("a closed client denies", async () => {
    const { url } = await startScripted();
    const client = clientOf(url);
    await client.close();
    expect(await client.decide(CALL)).toMatchObject({ decision: "deny", reason_code: "gateway_unreachable" });
  });
});

describe("the reason tells the operator what happened", () => {
  it.each([
    [401, /status 401.*API key/],
    [403, /status 403.*API key/],
    [503, /status 503/],
  ])("status %i", async (status, reason) => {
    const gateway = await keep(startHttpGateway((_, response) => response.writeHead(status).end()));
    const verdict = await clientOf(gateway.url).decide(CALL);
    expect(verdict).toMatchObject({ reason: expect.stringMatching(reason) });
  });

  // proves OPS-37
  it("a refusal names the request, and repeats nothing else of the answer's headers", async () => {
    const id = `req_${"0a".repeat(16)}`;
    for (const [sent, told] of [
      [id, `(request ${id})`],
      ["svc_secret", "what that key asked for."],
    ] as const) {
      const gateway = await keep(
        startHttpGateway((_, response) => response.writeHead(401, { "x-request-id": sent }).end()),
      );
      const verdict = await clientOf(gateway.url).decide(CALL);
      expect(verdict).toMatchObject({ reason: expect.stringContaining(told) });
      expect(JSON.stringify(verdict)).not.toContain("svc_secret");
    }
  });

  it("a refused connection", async () => {
    const gateway = await startHttpGateway(() => {});
    await gateway.close();
    expect(await clientOf(gateway.url).decide(CALL)).toMatchObject({
      reason: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("a refusal does not cost the connection its neighbours' answers", async () => {
    let calls = 0;
    const gateway = await keep(
      startHttpGateway((request, response) => {
        request.resume();
        calls += 1;
        const status = calls % 2 === 1 ? 503 : 200;
        response.writeHead(status, { "content-type": "application/json" }).end(ALLOW_BODY);
      }),
    );
    const client = clientOf(gateway.url);
    const decisions: string[] = [];
    for (let count = 0; count < 4; count += 1) decisions.push((await client.decide(CALL)).decision);
    expect(decisions).toEqual(["deny", "allow", "deny", "allow"]);
  });
});

// proves FAIL-09
describe("one agent's questions", () => {
  it("leave connections for those of another, however many there are", async () => {
    const gateway = await keep(
      startHttpGateway((request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
          // The greedy agent's session takes its time.
          if (Buffer.concat(chunks).includes("greedy")) return;
          response.writeHead(200, { "content-type": "application/json" }).end(ALLOW_BODY);
        });
      }),
    );
    const client = clientOf(gateway.url);
    const leaving = new AbortController();
    const { signal } = leaving;
    const greedy = Array.from({ length: 800 }, () =>
      client.decide({ ...CALL, agent_id: "greedy" }, { signal }),
    );
    const modest = await Promise.all(
      Array.from({ length: 20 }, () => client.decide({ ...CALL, agent_id: "modest" })),
    );
    expect(modest.map(({ decision }) => decision)).toEqual(Array(20).fill("allow"));
    leaving.abort();
    expect((await Promise.all(greedy)).every(({ decision }) => decision === "deny")).toBe(true);
  });

  it("past a bound are refused by name, and flagged", async () => {
    const gateway = await keep(startHttpGateway(() => {}));
    const client = clientOf(gateway.url);
    const leaving = new AbortController();
    const { signal } = leaving;
    const asked = Array.from({ length: 3_000 }, () => client.decide(CALL, { signal }));
    expect(await client.decide(CALL)).toMatchObject({
      decision: "deny",
      reason_code: "adapter_overloaded",
      fail_closed: true,
    });
    leaving.abort();
    await Promise.all(asked);
  });
});
