import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { startHttpGateway } from "@svc/decision-client/testing/faulty-gateway";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { governCall } from "./govern-call.ts";
import { governed } from "./governed.ts";
import { governedFn } from "./governed-fn.ts";
import { SvcApprovalRequired } from "./svc-approval-required.ts";
import { SvcClient } from "./svc-client.ts";
import { SvcDenied } from "./svc-denied.ts";

const ALLOW = { decision: "allow", decision_id: "g.1", args_constrained: false };
const SHAPED = { ...ALLOW, args_constrained: true, shaped_args: { amount: 10, currency: "EUR" } };
const DENY = {
  decision: "deny",
  decision_id: "g.2",
  args_constrained: false,
  reason: "Refunds above 100 are denied",
  reason_code: "rule",
  rule_id: "cap",
  retryable: false,
};
const PAUSE = {
  decision: "pause",
  decision_id: "g.3",
  args_constrained: false,
  reason: "Ask first.",
  reason_code: "approval_required",
  approval_url: "https://svc.example/approvals/apr_1",
};

interface Seen {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

let verdict: object = ALLOW;
let isSilent = false;
let seen: Seen[] = [];
let gateway: Awaited<ReturnType<typeof startHttpGateway>>;
let client: SvcClient;

beforeEach(async () => {
  verdict = ALLOW;
  isSilent = false;
  seen = [];
  gateway = await startHttpGateway((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Seen["body"];
      const path = request.url ?? "";
      seen.push({ path, headers: request.headers, body });
      if (isSilent) return;
      const answers: Record<string, object> = {
        "/api/v1/gateway/execute": verdict,
        "/api/v1/gateway/outcome": {},
        "/api/v1/agents/agent-1/heartbeat": { interval_seconds: 2 },
      };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answers[path]));
    });
  });
  client = new SvcClient({ baseUrl: gateway.url, apiKey: "svc_id_secret", orgId: "org-1" });
});

afterEach(async () => {
  await gateway.close();
});

const outcomes = async () => {
  await client.settled();
  return seen.filter(({ path }) => path.endsWith("/outcome")).map(({ body }) => body);
};

describe("governCall", () => {
  // proves LIB-10
  it("invokes the function on allow, and returns its result unchanged", async () => {
    const result = { any: ["thing"] };
    const fn = vi.fn<(args: { amount: number }) => typeof result>(() => result);
    expect(await governCall("payments.refund", { amount: 5 }, { agentId: "agent-1", fn, client })).toBe(
      result,
    );
    expect(fn).toHaveBeenCalledExactlyOnceWith({ amount: 5 });
    expect(seen[0]).toMatchObject({
      headers: { authorization: "Bearer svc_id_secret", "x-svc-org-id": "org-1" },
      body: { agent_id: "agent-1", tool: "payments.refund", args: { amount: 5 } },
    });
    expect(await outcomes()).toMatchObject([{ decision_id: "g.1", status: "succeeded" }]);
  });

  it("invokes it with the arguments that the policy put in place of the call's", async () => {
    verdict = SHAPED;
    const fn = (args: object) => args;
    const run = governCall("payments.refund", { amount: 500 }, { agentId: "agent-1", fn, client });
    expect(await run).toEqual({ amount: 10, currency: "EUR" });
  });

  // proves LIB-16
  it("runs a function without parameters on allow, and denies it where the policy rewrites", async () => {
    let runs = 0;
    const call = { agentId: "agent-1", fn: () => (runs += 1), client };
    expect(await governCall("payments.refund", { amount: 500 }, call)).toBe(1);
    verdict = SHAPED;
    await expect(governCall("payments.refund", { amount: 500 }, call)).rejects.toMatchObject({
      reason_code: "shaping_unsupported",
      fail_closed: true,
    });
    expect(runs).toBe(1);
    expect(await outcomes()).toMatchObject([{ status: "succeeded" }, { status: "not_executed" }]);
  });

  it("invokes it with what was judged, whatever the caller changes meanwhile", async () => {
    const args = { amount: 5, to: { account: "a" } };
    const fn = vi.fn<(judged: object) => void>();
    const calling = governCall("payments.refund", args, { agentId: "agent-1", fn, client });
    args.amount = 5_000;
    args.to.account = "b";
    await calling;
    expect(fn.mock.calls).toEqual([[{ amount: 5, to: { account: "a" } }]]);
    expect(seen[0]?.body["args"]).toEqual({ amount: 5, to: { account: "a" } });
  });

  it("asks about nothing when there is nothing to run", async () => {
    const fn = undefined as unknown as () => void;
    await expect(governCall("payments.refund", {}, { agentId: "agent-1", fn, client })).rejects.toThrow(
      "fn: expected a function, found undefined",
    );
    expect(seen).toEqual([]);
  });

  // proves LIB-10
  it("throws SvcDenied with reason and rule, in words that a model can act on", async () => {
    verdict = DENY;
    const fn = vi.fn<() => void>();
    const error: unknown = await governCall(
      "payments.refund",
      { amount: 500 },
      { agentId: "a", fn, client },
    ).catch((thrown: unknown) => thrown);
    expect(SvcDenied.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      reason: "Refunds above 100 are denied",
      rule_id: "cap",
      reason_code: "rule",
      decision_id: "g.2",
      fail_closed: false,
      retryable: false,
      message:
        "payments.refund was denied (rule cap): Refunds above 100 are denied. It was not run. " +
        "The same call with the same arguments will be denied again.",
    });
    expect(fn).not.toHaveBeenCalled();
  });

  // proves LIB-10
  it("throws SvcApprovalRequired with the address for the person who approves", async () => {
    verdict = PAUSE;
    const fn = vi.fn<() => void>();
    const error: unknown = await governCall("payments.refund", {}, { agentId: "a", fn, client }).catch(
      (thrown: unknown) => thrown,
    );
    expect(SvcApprovalRequired.isInstance(error)).toBe(true);
    expect(SvcDenied.isInstance(error)).toBe(false);
    expect(error).toMatchObject({
      approval_url: PAUSE.approval_url,
      approval_id: "apr_1",
      decision_id: "g.3",
    });
    expect(fn).not.toHaveBeenCalled();
  });

  it("throws what the function throws, and reports that it failed", async () => {
    const failure = new Error("the bank is closed");
    const fn = () => Promise.reject(failure);
    await expect(governCall("payments.refund", {}, { agentId: "a", fn, client })).rejects.toBe(failure);
    expect(await outcomes()).toMatchObject([{ decision_id: "g.1", status: "failed" }]);
  });

  it("asks about one call of a framework under one key, whatever the order of its arguments", async () => {
    const call = { agentId: "agent-1", sessionId: "s-1", callId: "call_1", fn: () => null, client };
    await governCall("payments.refund", { amount: 5, to: "a" }, call);
    await governCall("payments.refund", { to: "a", amount: 5 }, call);
    await governCall("payments.refund", { amount: 6, to: "a" }, call);
    const asked = seen.filter(({ path }) => path.endsWith("/execute"));
    const keys = asked.map(({ headers }) => String(headers["idempotency-key"]));
    expect(keys[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});

describe("governedFn", () => {
  // proves LIB-10
  it("records positional arguments by the names of the parameters", async () => {
    const fn = vi.fn<(amount: number, to: string, note?: string) => string>(
      (amount) => `paid ${String(amount)}`,
    );
    const refund = governedFn("payments.refund", {
      agentId: "agent-1",
      parameters: ["amount", "to", "note"],
      client,
    })(fn);
    expect(await refund(5, "a")).toBe("paid 5");
    expect(seen[0]?.body["args"]).toEqual({ amount: 5, to: "a" });
    expect(fn.mock.calls).toEqual([[5, "a"]]);
  });

  it("takes one object of arguments, and keeps this", async () => {
    const bank = {
      name: "bank",
      refund: governedFn("payments.refund", { agentId: "agent-1", client })(function refund(
        this: { name: string },
        { amount }: { amount: number },
      ) {
        return `${this.name} paid ${String(amount)}`;
      }),
    };
    expect(await bank.refund({ amount: 5 })).toBe("bank paid 5");
  });

  it("refuses arguments without names, and runs nothing", async () => {
    const fn = vi.fn<(amount: number, to: string) => void>();
    const refund = governedFn("payments.refund", { agentId: "agent-1", client })(fn);
    await expect(refund(5, "a")).rejects.toThrow("expected one object of arguments, found 2 arguments");
    const named = governedFn("payments.refund", { agentId: "a", parameters: ["amount"], client })(fn);
    await expect(named(5, "a")).rejects.toThrow("expected at most the 1 arguments");
    expect(fn).not.toHaveBeenCalled();
    expect(seen).toEqual([]);
  });

  it("does not run with an argument of the policy that no parameter takes", async () => {
    verdict = SHAPED;
    const fn = vi.fn<(amount: number) => void>();
    const refund = governedFn("payments.refund", { agentId: "agent-1", parameters: ["amount"], client })(fn);
    await expect(refund(500)).rejects.toMatchObject({
      reason_code: "shaping_unsupported",
      fail_closed: true,
    });
    expect(fn).not.toHaveBeenCalled();
    expect(await outcomes()).toMatchObject([{ decision_id: "g.1", status: "not_executed" }]);
  });
});

describe("governed", () => {
  // proves LIB-10
  it("puts every call into one session, and counts its steps and cost", async () => {
    const session = await governed({ agentId: "agent-1", namespace: "shop", client }, async (context) => {
      await context.execute("catalog.read", { id: 1 }, { costUsd: "0.25" });
      expect(
        await context.execute("payments.refund", { amount: 1 }, { costUsd: 0.5, fn: () => "done" }),
      ).toBe("done");
      return context;
    });
    expect([session.steps, session.costUsd]).toEqual([2, "0.75"]);
    const asked = seen.filter(({ path }) => path.endsWith("/execute")).map(({ body }) => body);
    expect(asked).toMatchObject([
      { agent_id: "agent-1", session_id: session.sessionId, namespace: "shop", cost_usd: "0.25" },
      { agent_id: "agent-1", session_id: session.sessionId, namespace: "shop", cost_usd: "0.5" },
    ]);
    expect(session.sessionId).toMatch(/^s-[0-9a-f]{32}$/);
  });

  // proves LIB-16
  it("denies a function without parameters where the policy rewrites its arguments", async () => {
    verdict = SHAPED;
    const fn = () => expect.unreachable("it must not run");
    await governed({ agentId: "agent-1", client }, async (context) => {
      const denied = { reason_code: "shaping_unsupported", fail_closed: true };
      await expect(context.execute("payments.refund", { amount: 1 }, { fn })).rejects.toMatchObject(denied);
      await expect(governedFn("payments.refund", { agentId: "a", client })(fn)()).rejects.toMatchObject(
        denied,
      );
    });
  });

  it("counts no step of a call that was denied", async () => {
    verdict = DENY;
    await governed({ agentId: "agent-1", client }, async (context) => {
      await expect(context.execute("payments.refund", {})).rejects.toBeInstanceOf(SvcDenied);
      expect(context.steps).toBe(0);
    });
  });

  it("sends heartbeats of its session, and says when it has ended", async () => {
    await governed({ agentId: "agent-1", sessionId: "s-7", heartbeats: true, client }, async () => {
      await vi.waitFor(() => expect(seen).toHaveLength(1), CONDITION_MS);
    });
    expect(seen.map(({ body }) => body)).toEqual([{ session_id: "s-7" }, { session_id: "s-7", ended: true }]);
  });

  it("does not wait for a heartbeat that the gateway does not answer when it ends", async () => {
    isSilent = true;
    await governed({ agentId: "agent-1", sessionId: "s-7", heartbeats: true, client }, async () => {
      await vi.waitFor(() => expect(seen).toHaveLength(1), CONDITION_MS);
      isSilent = false;
    });
    expect(seen.at(-1)?.body).toEqual({ session_id: "s-7", ended: true });
  }, 4_000);
});

describe("SvcClient", () => {
  // proves LIB-10
  it("answers calls that are not functions with the arguments to run", async () => {
    verdict = SHAPED;
    const allowed = await client.execute("shell.exec", { amount: 500 }, { agentId: "agent-1" });
    expect(allowed).toMatchObject({ args: { amount: 10, currency: "EUR" }, decision_id: "g.1" });
    client.report({ decisionId: allowed.decision_id, status: "failed", durationMs: 12.4 });
    expect(await outcomes()).toEqual([{ decision_id: "g.1", status: "failed", duration_ms: 12 }]);
  });

  it.each([
    [{ baseUrl: "gateway:8080" }, "baseUrl (SVC_URL): expected an address"],
    [{ baseUrl: "ftp://gateway" }, "must begin with http:// or https://"],
    [{ baseUrl: "http://user:secret@gateway" }, "without a user or password"],
    [{ baseUrl: "http://gateway/?a=1" }, "without a query or fragment"],
    [{ apiKey: "secret\n" }, "Is there a line break in it?"],
    [{ orgId: "a b" }, "orgId (SVC_ORG_ID): expected"],
    [{ timeoutMs: 1 }, "from 50 to 60000, found 1"],
  ])("refuses settings that are not usable: %j", (options, message) => {
    const make = () => new SvcClient(options);
    expect(make).toThrow(message);
    expect(make).not.toThrow("secret");
  });

  it("reads what is not given from the environment", async () => {
    vi.stubEnv("SVC_URL", `${gateway.url}/`);
    vi.stubEnv("SVC_API_KEY", "svc_env_secret");
    vi.stubEnv("SVC_ORG_ID", "");
    const own = new SvcClient();
    vi.unstubAllEnvs();
    await own.execute("catalog.read", {}, { agentId: "agent-1" });
    expect(seen[0]?.headers).toMatchObject({ authorization: "Bearer svc_env_secret" });
    expect(seen[0]?.headers).not.toHaveProperty("x-svc-org-id");
  });
});
