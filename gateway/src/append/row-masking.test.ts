import { killSwitch } from "@svc/control-feed/testing/fake-feed";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { trappedObject } from "@svc/text/testing/trapped-object";
import { beforeEach, describe, expect, it } from "vitest";
import { reportOutcome } from "../outcome.ts";
import { PRINCIPAL, type TestGateway, testGateway } from "../testing/test-gateway.ts";

const MODES = ["enforcement", "audit_only", "shadow"] as const;

const policyOf = (mode: string, redact: string): string => `
id: p
governance_mode: ${mode}
tools: { allowed: ["payments.*"], denied: ["payments.wire"] }
session: { max_steps: 3 }
rules:
  - id: never
    priority: 1
    match: { tool: payments.fee }
    action: deny
  - id: first-person
    priority: 2
    match: { tool: payments.ask }
    action: require_approval
  - id: hide
    match: { tool: "*" }
    action: redact
    redact: ${redact}
`;

const GITHUB = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const AWS = "AKIAIOSFODNN7EXAMPLE";

let gateway: TestGateway;

async function governed(source: string): Promise<void> {
  gateway.feed.putPolicy("p", source, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
}

const lastArgs = (): unknown => gateway.rows().at(-1)?.["args"];

beforeEach(async () => {
  gateway = await testGateway();
});

describe("arguments that have a prototype", () => {
  const args = { token: "hunter2", to: "a@b.example", deep: [{ key: GITHUB }] };

  it.each([
    ["allowed", "payments.refund"],
    ["paused", "payments.ask"],
    ["denied", "payments.fee"],
  ])("are judged and recorded by their own members alone when the call is %s", async (_, tool) => {
    await governed(policyOf("enforcement", "{ fields: [args.token] }"));
    const own = await gateway.execute({ tool, args });
    const ownRow = lastArgs();
    const trapped = await gateway.execute({ tool, args: trappedObject(args) });
    expect(trapped.decision).toBe(own.decision);
    expect(gateway.rows().at(-1)).toMatchObject({ decision: own.decision, fail_closed: false });
    expect(lastArgs()).toEqual(ownRow);
  });
});

describe("what a policy redacts", () => {
  const args = { token: "hunter2", to: "a@b.example", amount: 10 };
  const masked = { token: "[masked:rule:hide]", to: "a@b.example", amount: 10 };

  // proves AUD-50
  it.each(MODES)("is masked in the row of an allowed call under %s", async (mode) => {
    await governed(policyOf(mode, "{ fields: [args.token] }"));
    expect(await gateway.execute({ args })).toMatchObject({ decision: "allow" });
    expect(lastArgs()).toEqual(masked);
  });

  // proves AUD-50
  it.each([
    ["by a list", { tool: "payments.wire" }, "tool_denied"],
    ["by an earlier rule", { tool: "payments.fee" }, "rule"],
    ["because nothing allows it", { tool: "db.drop" }, "not_allowed"],
    ["without a session", { session_id: null }, "session_required"],
    ["until a person decides", { tool: "payments.ask" }, "approval_required"],
  ])("is masked in the row of a call that is stopped %s", async (_name, known, reason_code) => {
    await governed(policyOf("enforcement", "{ fields: [args.token] }"));
    expect(await gateway.execute({ ...known, args })).toMatchObject({ reason_code });
    expect(lastArgs()).toEqual(masked);
  });

  // proves AUD-50
  it("is masked in the rows of a ceiling and of a kill switch", async () => {
    await governed(policyOf("enforcement", "{ fields: [args.token] }"));
    for (let step = 0; step < 3; step += 1) await gateway.execute({ args });
    expect(await gateway.execute({ args })).toMatchObject({ reason_code: "max_steps" });
    expect(lastArgs()).toEqual(masked);
    gateway.feed.putSwitch(killSwitch({ scope: "agent", target_id: "agent-1" }));
    await gateway.follower.catchUp();
    expect(await gateway.execute({ args })).toMatchObject({ reason_code: "kill_switch" });
    expect(lastArgs()).toEqual(masked);
  });

  // proves AUD-50
  it("is masked where the redaction cannot be carried out", async () => {
    await governed(policyOf("enforcement", "{ fields: [args.card.number] }"));
    const verdict = await gateway.execute({ args: { card: "4111111111111111" } });
    expect(verdict).toMatchObject({ reason_code: "constraint_unsatisfiable" });
    expect(lastArgs()).toEqual({ card: "[masked:rule:hide]" });
  });

  it("stays in the row where the rule says so", async () => {
    await governed(policyOf("enforcement", "{ fields: [args.token], audit: keep }"));
    await gateway.execute({ args });
    expect(lastArgs()).toEqual(args);
  });

  // proves AUD-50
  it("is hidden with everything else where the policy cannot be loaded, or asking it fails", async () => {
    const unknown = { "[masked]": "what the policy of this call redacts is not known" };
    await governed("id: [");
    await gateway.execute({ args });
    expect(lastArgs()).toEqual(unknown);
    gateway.parts.control.state.policyFor = () => {
      throw new Error("boom");
    };
    await gateway.execute({ args });
    expect(lastArgs()).toEqual(unknown);
  });

  it("is hidden with everything else when the row would grow too long", async () => {
    await governed(policyOf("enforcement", "{ fields: [args.*.*] }"));
    await gateway.execute({ args: { list: Array.from({ length: MAX_BODY_BYTES / 8 }, () => 1) } });
    expect(lastArgs()).toEqual({
      "[masked]": "the masked arguments are longer than an audit row may hold",
    });
  });
});

describe("secrets beside the arguments", () => {
  const session = `s-${GITHUB}`;

  // proves AUD-51
  it("are masked in names and reasons, and equal names stay equal", async () => {
    await governed(policyOf("enforcement", "{ fields: [args.token] }"));
    await gateway.execute({ session_id: session });
    await gateway.execute({ session_id: session, tool: AWS, namespace: GITHUB });
    await gateway.execute({ session_id: `s-${GITHUB}6`, agent_id: AWS });
    const [first, second, third] = gateway.rows();
    for (const row of gateway.ledger.rows) {
      expect(row).not.toContain(GITHUB);
      expect(row).not.toContain(AWS);
    }
    expect(first?.["session_id"]).toMatch(/^s-\[masked:secret\.github_token:[0-9a-f]{32}\]$/);
    expect(second?.["session_id"]).toBe(first?.["session_id"]);
    expect(third?.["session_id"]).not.toBe(first?.["session_id"]);
    expect(second?.["tool"]).toMatch(/^\[masked:secret\.aws_key:/);
    expect(third?.["agent_id"]).toBe(second?.["tool"]);
    expect(second?.["reason"]).toContain("the tool [masked:secret.aws_key]");
  });

  // proves AUD-51
  it("are masked in what a kill switch and a mode say", async () => {
    await governed(policyOf("shadow", "{ fields: [args.token] }"));
    await gateway.execute({ tool: AWS });
    gateway.feed.putSwitch(killSwitch({ scope: "session", target_id: session, reason: `it leaked ${AWS}` }));
    await gateway.follower.catchUp();
    await gateway.execute({ session_id: session });
    const [would, killed] = gateway.rows();
    expect(would?.["would_be"]).toMatchObject({ reason_code: "not_allowed" });
    expect(killed?.["reason"]).toContain("it leaked [masked:secret.aws_key]");
    for (const row of gateway.ledger.rows) {
      expect(row).not.toContain(GITHUB);
      expect(row).not.toContain(AWS);
    }
  });

  // proves AUD-51
  it("in a session's name leave its ceiling and its outcomes as they are", async () => {
    await governed(policyOf("enforcement", "{ fields: [args.token] }"));
    const call = { session_id: session };
    for (let step = 0; step < 3; step += 1)
      expect(await gateway.execute(call)).toMatchObject({ decision: "allow" });
    expect(await gateway.execute(call)).toMatchObject({ reason_code: "max_steps" });
    expect(await gateway.execute({ session_id: `s-${GITHUB}6` })).toMatchObject({ decision: "allow" });
    const parts = {
      ledger: gateway.ledger,
      audit: gateway.ledger.store.audit,
      clock: gateway.clock,
    };
    const report = {
      decision_id: "gw_test.0",
      status: "not_executed",
      cost_micro_usd: null,
      duration_ms: null,
    } as const;
    expect(await reportOutcome(parts, PRINCIPAL, report)).toEqual({ kind: "recorded" });
    expect(await gateway.execute(call)).toMatchObject({ decision: "allow" });
  });
});
