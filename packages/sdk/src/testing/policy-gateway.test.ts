import { TestGateway } from "@svc/test-kit/test-gateway";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { governCall } from "../govern-call.ts";
import { governedFn } from "../governed-fn.ts";
import { inProcessGateway } from "../in-process-gateway.ts";
import { SvcApprovalRequired } from "../svc-approval-required.ts";
import { SvcClient } from "../svc-client.ts";
import { SvcDenied } from "../svc-denied.ts";
import { PolicyGateway, type PolicyGatewayOptions } from "./policy-gateway.ts";

const source = `
id: refunds
tools: { allowed: [payments.*] }
session: { max_steps: 2 }
rules:
  - id: large
    priority: 1
    match: { condition: { field: args.amount, operator: ">", value: 1000 } }
    action: deny
  - id: medium
    priority: 2
    match: { condition: { field: args.amount, operator: ">", value: 100 } }
    action: require_approval
`;

let gateway: PolicyGateway;
const open = (options?: PolicyGatewayOptions): PolicyGateway =>
  new PolicyGateway({ file: "refunds.yaml", source }, options);
const ran = vi.fn<(amount: number) => void>();
const refund = governedFn("payments.refund", { agentId: "bot", sessionId: "s" })(
  async ({ amount }: { amount: number }) => {
    ran(amount);
    return amount;
  },
);

beforeEach(() => {
  vi.stubEnv("SVC_URL", "");
  ran.mockClear();
});

afterEach(() => {
  gateway?.close();
  vi.unstubAllEnvs();
});

// proves LIB-20
describe("a test gateway of the TypeScript library", () => {
  it("answers governed functions, calls and clients of any address", async () => {
    gateway = open();
    expect(await refund({ amount: 10 })).toBe(10);
    await expect(refund({ amount: 5_000 })).rejects.toThrow(SvcDenied);
    const fn = vi.fn<() => void>();
    await expect(governCall("shell.exec", {}, { agentId: "bot", fn })).rejects.toThrow(SvcDenied);
    const client = new SvcClient({ baseUrl: "http://gateway.invalid" });
    expect(
      await client.decide("payments.refund", { amount: 1 }, { agentId: "bot", sessionId: "s" }),
    ).toMatchObject({
      decision: "allow",
    });
    expect(
      await client.decide("payments.refund", { amount: 1 }, { agentId: "bot", sessionId: "s" }),
    ).toMatchObject({
      reason_code: "max_steps",
    });
    expect(ran.mock.calls).toEqual([[10]]);
    expect(fn).not.toHaveBeenCalled();
    await gateway.settled();
    gateway.expectDecision({
      tool: "payments.refund",
      args: { amount: 10 },
      decision: "allow",
      outcome: "succeeded",
    });
    gateway.expectDecision({ args: { amount: 5_000 }, decision: "deny", ruleId: "large" });
    expect(gateway.decisions.map(({ decision }) => decision)).toEqual([
      "allow",
      "deny",
      "deny",
      "allow",
      "deny",
    ]);
  });

  it("lets an approved call pass once, with the arguments of its approver", async () => {
    gateway = open();
    const paused = await refund({ amount: 400 }).catch((error: unknown) => error);
    expect(SvcApprovalRequired.isInstance(paused)).toBe(true);
    gateway.approve(paused as SvcApprovalRequired, { amount: 50 });
    expect(await refund({ amount: 400 })).toBe(50);
    await expect(refund({ amount: 400 })).rejects.toThrow("approve it");
    gateway.denyApproval();
    expect(() => gateway.approve()).toThrow("no open approval");
    expect(ran.mock.calls).toEqual([[50]]);
  });

  it("stops calls by kill switches, and ends them by its own clock", async () => {
    gateway = open({ now: new Date("2026-01-05T09:00:00Z") });
    gateway.kill({ everything: true }, { ttlSeconds: 60 });
    await expect(refund({ amount: 10 })).rejects.toThrow("kill switch");
    gateway.advance(60_000);
    expect(gateway.now.toISOString()).toBe("2026-01-05T09:01:00.000Z");
    expect(await refund({ amount: 10 })).toBe(10);
    gateway.endKill(gateway.kill({ session: "s" }));
    expect(await refund({ amount: 11 })).toBe(11);
  });

  it("says what was expected, what came, and how the policy came to it", async () => {
    gateway = open();
    await refund({ amount: 10 });
    expect(() => gateway.expectDecision({ tool: "payments.refund", decision: "deny" })).toThrow(
      /expected a decision with:[^]*decision: "deny"[^]*x decision: "allow"[^]*tools.allowed: matched/,
    );
    expect(gateway.expectDecision({ decision: ["allow", "pause"] }).decision).toBe("allow");
    expect(() => gateway.expectDecision({ decision: "not_allow" })).toThrow('decision: "not_allow"');
    expect(() => gateway.expectDecision({ toool: "x" } as object)).toThrow("Did you mean tool?");
    expect(() => gateway.expectDecision({ decision: "alow" } as object)).toThrow(
      'decision: expected one of deny, pause, allow, not_allow, or a list of them, found "alow"',
    );
    expect(() => gateway.expectDecision({ outcome: "done" })).toThrow(
      'outcome: expected failed, not_executed, revoked, succeeded or null, found "done"',
    );
    expect(() => gateway.expectDecision({ reasonCode: "max_step" })).toThrow("Did you mean max_steps?");
  });
});

// proves LIB-23
describe("a test gateway never stands in for a real one", () => {
  it.each([
    ["SVC_URL", "http://gateway.example"],
    ["NODE_ENV", "production"],
  ])("where %s is %s", (name, value) => {
    vi.stubEnv(name, value);
    expect(() => open()).toThrow(name);
    expect(inProcessGateway()).toBeNull();
  });

  it.each([
    ["SVC_URL", "http://gateway.example"],
    ["NODE_ENV", "production"],
  ])("where %s becomes %s while it is open", async (name, value) => {
    gateway = open();
    vi.stubEnv(name, value);
    await expect(refund({ amount: 10 })).rejects.toThrow(`status 421: no verdict. ${name} is`);
    expect(ran).not.toHaveBeenCalled();
    expect(() => gateway.expectDecision({ decision: "allow" })).toThrow(`a client was refused: ${name} is`);
  });

  it("for a client with an API key, unless its address is named", async () => {
    const sent = vi.spyOn(globalThis, "fetch");
    gateway = open({ addresses: ["http://gateway.test/"] });
    const call = ["payments.refund", { amount: 1 }, { agentId: "bot", sessionId: "s" }] as const;
    const asked = (baseUrl: string) => new SvcClient({ baseUrl, apiKey: "svc_id_secret" }).decide(...call);
    expect(await asked("http://gateway.test")).toMatchObject({ decision: "allow" });
    expect(await asked("http://gateway.example")).toMatchObject({
      decision: "deny",
      reason_code: "gateway_refused",
      reason: expect.stringContaining("has an API key for http://gateway.example"),
      retryable: false,
    });
    vi.stubEnv("SVC_API_KEY", "svc_id_secret");
    expect(await new SvcClient().decide(...call)).toMatchObject({ decision: "deny" });
    expect(gateway.decisions).toHaveLength(1);
    expect(sent).not.toHaveBeenCalled();
    sent.mockRestore();
    gateway.close();
    expect(() => open({ addresses: ["gateway"] })).toThrow("addresses: baseUrl");
  });

  it("before it is made, after it is closed, or beside another one", async () => {
    const client = new SvcClient({ baseUrl: "http://127.0.0.1:1" });
    const decide = () => client.decide("payments.refund", { amount: 1 }, { agentId: "bot", sessionId: "s" });
    expect(await decide()).toMatchObject({ reason_code: "gateway_unreachable" });
    gateway = open();
    expect(await decide()).toMatchObject({ decision: "allow" });
    expect(() => open()).toThrow("another PolicyGateway is open");
    gateway.close();
    expect(await decide()).toMatchObject({ reason_code: "gateway_unreachable" });
  });

  it("for the outcome of a call that ends when it is closed", async () => {
    const lost = vi.fn();
    const client = new SvcClient({ baseUrl: "http://127.0.0.1:1", onLostReport: lost });
    gateway = open();
    const allow = await client.execute("payments.refund", { amount: 1 }, { agentId: "bot", sessionId: "s" });
    gateway.close();
    client.report({ decisionId: allow.decision_id, status: "succeeded" });
    await client.settled();
    expect(lost).not.toHaveBeenCalled();
  });

  it("with a policy that cannot be read, or that the service would refuse", () => {
    expect(() => new PolicyGateway("/nowhere/refunds.yaml")).toThrow("/nowhere/refunds.yaml");
    expect(() => new PolicyGateway({ file: "bad.yaml", source: "id: p\nruls: []\n" })).toThrow(
      "bad.yaml:2:1",
    );
    expect(inProcessGateway()).toBeNull();
  });

  it("when its engine fails: the call is denied", async () => {
    gateway = open();
    vi.spyOn(TestGateway.prototype, "execute").mockRejectedValue(new Error("broken"));
    await expect(refund({ amount: 10 })).rejects.toThrow(SvcDenied);
    vi.restoreAllMocks();
    expect(ran).not.toHaveBeenCalled();
  });
});
