import type { ExecuteRequest } from "@svc/contract/execute-request";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { KitSettings } from "./kit-settings.ts";
import { TestGateway } from "./test-gateway.ts";

afterEach(() => void vi.restoreAllMocks());

const START_MS = Date.UTC(2026, 0, 5, 9);

const POLICY = `
id: refunds
tools: { allowed: [payments.*, orders.read] }
session: { max_steps: 3 }
rules:
  - id: large
    priority: 10
    match: { tool: payments.refund, condition: { field: args.amount, operator: ">", value: 1000 } }
    action: deny
  - id: medium
    priority: 20
    match: { tool: payments.refund, condition: { field: args.amount, operator: ">", value: 100 } }
    action: require_approval
`;

function open(known: Partial<KitSettings> & { readonly text?: string } = {}): TestGateway {
  const { text = POLICY, ...settings } = known;
  return new TestGateway({
    policies: [{ file: "refunds.yaml", source: text }],
    nowMs: START_MS,
    ...settings,
  });
}

async function call(gateway: TestGateway, known: Partial<ExecuteRequest> = {}, key: string | null = null) {
  const request: ExecuteRequest = {
    agent_id: "bot",
    session_id: "s",
    tool: "payments.refund",
    args: { amount: 10 },
    namespace: null,
    cost_micro_usd: null,
    ...known,
  };
  const bodyDigest = JSON.stringify(request);
  return gateway.execute(request, key === null ? null : { idempotencyKey: key, bodyDigest });
}

const ALLOW = { decision: "allow" };

// proves LIB-20
describe("a test gateway", () => {
  it("decides by the policy, and keeps what it decided", async () => {
    const gateway = open();
    expect(await call(gateway)).toMatchObject({ decision: "allow", policy_id: "refunds" });
    expect(await call(gateway, { args: { amount: 5_000 } })).toMatchObject({
      decision: "deny",
      rule_id: "large",
    });
    expect(await call(gateway, { tool: "shell.exec" })).toMatchObject({ reason_code: "not_allowed" });
    expect(gateway.decisions).toMatchObject([
      { tool: "payments.refund", args: { amount: 10 }, decision: "allow", time: "2026-01-05T09:00:00.000Z" },
      { args: { amount: 5_000 }, decision: "deny", rule_id: "large" },
      { tool: "shell.exec", decision: "deny" },
    ]);
  });

  it("counts ceilings by session, and gives back a call that did not run", async () => {
    const gateway = open({ role: "adapter" });
    const allowed = [await call(gateway), await call(gateway), await call(gateway)];
    expect(await call(gateway)).toMatchObject({ decision: "deny", reason_code: "max_steps" });
    expect(await call(gateway, { session_id: "other" })).toMatchObject(ALLOW);
    const report = { status: "not_executed", cost_micro_usd: null, duration_ms: null } as const;
    const decision_id = allowed[0]?.decision_id ?? "";
    expect(await gateway.report({ ...report, decision_id })).toEqual({ kind: "recorded" });
    expect(await call(gateway)).toMatchObject(ALLOW);
    expect(gateway.decisions[0]).toMatchObject({ outcome: "not_executed" });
  });

  it("opens one approval for a paused call, and lets its repeat pass once", async () => {
    const gateway = open();
    const paused = { args: { amount: 400 } };
    const first = await call(gateway, paused);
    expect(first).toMatchObject({ decision: "pause", rule_id: "medium" });
    expect(await call(gateway, paused)).toMatchObject({ decision: "pause" });
    expect(new Set(gateway.decisions.map(({ approval_id }) => approval_id)).size).toBe(1);
    gateway.approve(null, null);
    expect(await call(gateway, { args: { amount: 401 } })).toMatchObject({ decision: "pause" });
    expect(await call(gateway, paused)).toMatchObject(ALLOW);
    expect(await call(gateway, paused)).toMatchObject({ decision: "pause" });
    expect(() => gateway.approve(null, null)).toThrow("several are open");
    expect(() => gateway.approve("apr_x", null)).toThrow('found "apr_x"');
  });

  it("runs an approved call with the arguments of its approver, if the policy allows them", async () => {
    const gateway = open();
    const paused = { args: { amount: 400 } };
    await call(gateway, paused);
    gateway.approve(null, { amount: 50 });
    expect(await call(gateway, paused)).toMatchObject({ ...ALLOW, shaped_args: { amount: 50 } });
    await call(gateway, paused);
    gateway.approve(null, { amount: 5_000 });
    expect(await call(gateway, paused)).toMatchObject({ decision: "deny", rule_id: "large" });
  });

  it("asks anew after an approval was denied, or is over", async () => {
    const gateway = open();
    const paused = { args: { amount: 400 } };
    await call(gateway, paused);
    gateway.denyApproval(null);
    expect(await call(gateway, paused)).toMatchObject({ decision: "pause" });
    gateway.approve(null, null);
    gateway.advance(2 * 3_600_000);
    expect(await call(gateway, paused)).toMatchObject({ decision: "pause" });
  });

  it("stops calls by kill switches until they end", async () => {
    const gateway = open();
    const id = gateway.kill({ scope: "agent", target: "bot", reason: "loops", ttlSeconds: null });
    expect(await call(gateway)).toMatchObject({ reason_code: "kill_switch", kill_switch_id: id });
    expect(await call(gateway, { agent_id: "other", session_id: "t" })).toMatchObject(ALLOW);
    gateway.endKill(id);
    expect(await call(gateway)).toMatchObject(ALLOW);
    gateway.kill({ scope: "global", target: null, reason: "stop", ttlSeconds: 60 });
    expect(await call(gateway)).toMatchObject({ reason_code: "kill_switch" });
    gateway.advance(60_000);
    expect(await call(gateway)).toMatchObject(ALLOW);
    expect(() => gateway.endKill(id)).toThrow("expected the id of an active one");
  });

  it("counts a repeated call once", async () => {
    const gateway = open();
    const first = await call(gateway, {}, "k");
    for (let n = 0; n < 5; n += 1) expect(await call(gateway, {}, "k")).toEqual({ ...first, repeated: true });
    expect(await call(gateway, { args: { amount: 11 } }, "k")).toBeNull();
    gateway.advance(60_001);
    expect(await call(gateway, {}, "k")).not.toMatchObject({ decision_id: first?.decision_id });
  });

  it("judges the time by its own clock", async () => {
    const hours = "{ zone: UTC, days: [mon], from: '09:00', to: '17:00' }";
    const match = `{ condition: { field: time, operator: within, value: ${hours} } }`;
    const gateway = open({ text: `id: p\nrules:\n  - { id: office, match: ${match}, action: allow }\n` });
    expect(await call(gateway)).toMatchObject(ALLOW);
    gateway.advance(9 * 3_600_000);
    expect(await call(gateway)).toMatchObject({ decision: "deny" });
  });

  it("governs agents by the policy that names them, and others by the one that names none", async () => {
    const named = "id: named\nagent_id: bot\ntools: { allowed: [a] }\n";
    const rest = "id: rest\ntools: { allowed: [b] }\n";
    const policies = [named, rest].map((source, at) => ({ file: `${String(at)}.yaml`, source }));
    const gateway = open({ policies });
    expect(await call(gateway, { tool: "b" })).toMatchObject({ decision: "deny", policy_id: "named" });
    expect(await call(gateway, { tool: "b", agent_id: "x", namespace: "y" })).toMatchObject(ALLOW);
    const alone = open({ policies: policies.slice(0, 1) });
    expect(await call(alone, { agent_id: "x" })).toMatchObject({ reason_code: "no_policy" });
  });

  it("denies a call whose workflow does not exist, as the service does", async () => {
    const text = POLICY.replace(
      "action: require_approval",
      "action: require_approval\n    approval: { workflow: finance }",
    );
    const paused = { args: { amount: 400 } };
    expect(await call(open({ text }), paused)).toMatchObject({ reason_code: "approval_workflow_unknown" });
    expect(await call(open({ text, workflows: ["finance"] }), paused)).toMatchObject({ decision: "pause" });
  });

  it("denies when deciding fails, and says what failed", async () => {
    const gateway = open();
    vi.spyOn(KeyedDigest.prototype, "of").mockImplementation(() => {
      throw new Error("broken");
    });
    expect(await call(gateway)).toMatchObject({
      decision: "deny",
      reason_code: "internal_error",
      fail_closed: true,
    });
    const missed = gateway.expectDecision({ decision: "allow" });
    expect(missed).toMatchObject({ kind: "missed", message: expect.stringContaining("fault: ") as string });
  });
});

describe("a test gateway refuses", () => {
  it.each<[string, Partial<KitSettings> & { readonly text?: string }]>([
    ["expected a policy file or several", { policies: [] }],
    ["refunds.yaml:1:5", { text: "id: \ntools: {allowd: []}" }],
    [
      "both have the id p",
      {
        policies: [
          { file: "a", source: "id: p" },
          { file: "b", source: "id: p" },
        ],
      },
    ],
    [
      "name no agent_id",
      {
        policies: [
          { file: "a", source: "id: p" },
          { file: "b", source: "id: q" },
        ],
      },
    ],
    ["role: expected one of agent, adapter, admin", { role: "root" }],
    ["now: expected a time", { nowMs: Number.NaN }],
  ])("%s", (message, known) => {
    expect(() => open(known)).toThrow(message);
  });

  it("a policy with a Rego module, by name, and says what runs it", () => {
    for (const text of ["id: p\nrego: |\n  package p\n", "id: p\nrego: {module: package p}\nruls: []\n"]) {
      expect(() => open({ text })).toThrow(/rego_unavailable: .*svc-cli test/);
    }
  });

  it("an expectation that names no member of a decision", async () => {
    const gateway = open();
    expect(() => gateway.expectDecision({ tol: "x" } as object)).toThrow("Did you mean tool?");
  });
});

// proves LIB-21
describe("an expectation", () => {
  it("is met by the last decision that has what it names", async () => {
    const gateway = open();
    await call(gateway);
    await call(gateway, { args: { amount: 5_000 } });
    const met = gateway.expectDecision({ tool: "payments.refund", args: { amount: 10 } });
    expect(met).toMatchObject({ kind: "met", decision: { decision: "allow" } });
    expect(gateway.expectDecision({ rule_id: null })).toMatchObject({ kind: "met" });
  });

  it("says what was expected, what came, and how the policy came to it", async () => {
    const gateway = open();
    await call(gateway, { args: { amount: 10 } });
    await call(gateway, { args: { amount: 5_000 } });
    const missed = gateway.expectDecision({
      tool: "payments.refund",
      args: { amount: 5_000 },
      decision: "allow",
    });
    expect(missed.kind === "missed" ? missed.message : "").toMatchInlineSnapshot(`
      "expected a decision with:
          tool: "payments.refund"
          args: {"amount":5000}
          decision: "allow"
      got, as the nearest one:
          tool: "payments.refund"
          args: {"amount":5000}
        x decision: "deny"
          rule_id: "large"
          reason: the rule large denies this call
      how the policy came to it:
          decided by rule
          tools.denied: no glob matches
          rule large (deny) matched: its conditions hold
            args.amount > 1000: holds, found 5000
          rule medium (require_approval) not reached: the evaluation ended before this rule
          tools.allowed: matched by payments.*
          session.max_steps: 3, used 1 before this call
      all decisions:
          allow bot payments.refund {"amount":10}
          deny bot payments.refund {"amount":5000} by large"
    `);
    expect(open().expectDecision({ decision: "deny" })).toMatchObject({
      message: expect.stringContaining("no call reached the gateway") as string,
    });
  });
});

describe("a policy that names a guardrail", () => {
  const source = `id: p
tools: { allowed: ["*"] }
rules:
  - { id: out, match: { condition: { field: args, operator: detects, value: guardrail.pci } }, action: deny }
`;
  const policiesWith = (guardrails?: string) => [{ file: "p.yaml", source, guardrails }];

  // proves DSET-09
  it("is decided with the guardrails that are given with it, and refused without", async () => {
    const gateway = open({ policies: policiesWith("pci: { detectors: [pii.credit_card] }\n") });
    const card = { args: { text: "4242424242424242" } };
    expect(await call(gateway, card)).toMatchObject({ decision: "deny", rule_id: "out" });
    expect(await call(gateway)).toMatchObject(ALLOW);
    expect(() => open({ policies: policiesWith() })).toThrow('there is no guardrail "pci"');
    expect(() => open({ policies: policiesWith("pci: {}") })).toThrow("would refuse these guardrails");
  });
});
