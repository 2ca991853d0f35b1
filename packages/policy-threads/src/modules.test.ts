import type { DecisionRow } from "@svc/contract/audit-row";
import type { DecisionExplanation } from "@svc/contract/decision-explanation";
import { MAX_TRACED_CALLS, type SimulatedVerdict } from "@svc/contract/policy-explanation";
import type { ReplayResult } from "@svc/contract/replay";
import { type EvaluatorFactory, evaluatorFactory } from "@svc/engine/evaluator-factory";
import { fakeModules } from "@svc/engine/testing/fake-modules";
import type { ReplayReply, ReplayWork } from "@svc/policy-analysis/replay-exchange";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { describe, expect, it } from "vitest";
import { Replayer } from "./replayer.ts";
import { Simulator } from "./simulator.ts";

const MODULE = "deny pay.refund too much\nask pay.refund who\nask pay.send who pays\nfail pay.slow late";
const POLICY = {
  id: "p",
  tools: { allowed: ["pay.*"] },
  rules: [{ id: "no-wires", match: { tool: "pay.wire" }, action: "deny" }],
};
const textOf = (rego: string) =>
  ({ source: JSON.stringify({ ...POLICY, rego }), mediaType: "application/json" }) as const;
const DOCUMENT = textOf(MODULE);
const FACTORY = evaluatorFactory(fakeModules().runtime);
const DIGEST_KEY = "5a".repeat(32);
const TIME = "2026-06-01T12:00:00.000Z";

interface Simulated {
  readonly verdict: SimulatedVerdict;
  readonly explanation: {
    readonly decided_by: string;
    readonly rego?: unknown;
    readonly rego_trace?: unknown;
  };
}

const CALL = { agent_id: "a", session_id: "s", tool: "pay.refund", args: {} };

async function simulate(
  calls: readonly object[],
  evaluators: EvaluatorFactory | null,
  document: typeof DOCUMENT = DOCUMENT,
  nowMs = () => 0,
) {
  const body = Buffer.from(JSON.stringify({ policy_id: "p", calls }));
  const stored = { ...document, version: 1 };
  const simulation = { body, stored, timeMs: Date.parse(TIME), switches: [] };
  return new Simulator(nowMs, evaluators).simulate(simulation);
}

async function simulateAll(
  calls: readonly object[],
  document = DOCUMENT,
  nowMs = () => 0,
): Promise<readonly Simulated[]> {
  const reply = await simulate(calls, FACTORY, document, nowMs);
  if (reply.kind !== "simulated") throw new Error(JSON.stringify(reply));
  return (JSON.parse(reply.text) as { results: readonly Simulated[] }).results;
}

async function simulated(tool: string): Promise<Simulated> {
  const [result] = await simulateAll([{ ...CALL, tool }]);
  if (result === undefined) throw new Error("nothing was simulated");
  return result;
}

/** The row that a gateway writes of the call. */
async function rowOf(tool: string, known: Partial<DecisionRow> = {}): Promise<DecisionRow> {
  const { verdict } = await simulated(tool);
  const digest = new KeyedDigest(DIGEST_KEY);
  return {
    v: 1,
    kind: "decision",
    time: TIME,
    org: "default",
    principal: "key",
    namespace: "default",
    agent_id: "a",
    session_id: "s",
    tool,
    args: {},
    args_digest: digest.of("{}"),
    call_digest: digest.of("call"),
    shaped_args_digest: null,
    decision: verdict.decision,
    would_be: null,
    mode: "enforcement",
    reason: verdict.reason,
    reason_code: verdict.reason_code,
    rule_id: verdict.rule_id,
    policy_id: "p",
    policy_version: 1,
    evaluated_at: TIME,
    session_usage: { cost_usd: "0", steps: 0 },
    approval_id: verdict.decision === "pause" ? "apr_1" : null,
    kill_switch_id: null,
    trigger_source: null,
    cost_usd: "0",
    steps: 0,
    fail_closed: false,
    latency_us: 1,
    ...known,
  };
}

async function explained(row: DecisionRow, evaluators: EvaluatorFactory | null = FACTORY) {
  const recorded = { decisionId: "log.1", row: JSON.stringify(row), switches: [], withdrawn: false };
  const decision = { ...recorded, repeated: null, digestKey: DIGEST_KEY, policy: DOCUMENT };
  const reply = await new Simulator(() => 0, evaluators).explain(decision);
  if (reply.kind !== "explained") throw new Error(reply.kind);
  return JSON.parse(reply.text) as DecisionExplanation;
}

async function worked(
  work: ReplayWork,
  rows: readonly DecisionRow[],
  evaluators: EvaluatorFactory | null = FACTORY,
): Promise<ReplayReply> {
  const replayer = new Replayer(() => 0, evaluators);
  const period = { since: "2026-01-01T00:00:00.000Z", until: "2027-01-01T00:00:00.000Z" };
  const logs = [{ logId: "log", from: 1, end: 1 + rows.length }];
  const order = { id: "r", work, org: "default", ...period, logs, digestKey: DIGEST_KEY };
  const begun = await replayer.begin(order);
  if (begun.kind !== "needs") return begun;
  const texts = rows.map((row) => Buffer.from(JSON.stringify(row)));
  const lengths = Uint32Array.from(texts, ({ length }) => length);
  const page = { from: 1, bytes: Buffer.concat(texts), lengths };
  return replayer.rows("r", "log", page);
}

async function replayed(candidate: string, rows: readonly DecisionRow[]): Promise<ReplayResult> {
  const work = { kind: "replay", candidate: textOf(candidate), policyId: "p", agents: null } as const;
  const reply = await worked(work, rows);
  if (reply.kind !== "done") throw new Error(JSON.stringify(reply));
  return JSON.parse(reply.text) as ReplayResult;
}

describe("a policy with a module", () => {
  it.each([
    [
      "pay.refund",
      "rego",
      { decision: "deny", reason: "too much", rule_id: "rego:deny", reason_code: "rego" },
    ],
    ["pay.send", "rego", { decision: "pause", reason: "who pays", rule_id: "rego:require_approval" }],
    ["pay.slow", "rego", { decision: "deny", reason_code: "rego" }],
    ["pay.wire", "rule", { decision: "deny", rule_id: "no-wires" }],
    ["pay.read", "tools.allowed", { decision: "allow" }],
  ])("is simulated and explained as a gateway decides it: %s", async (tool, decider, verdict) => {
    const { verdict: found, explanation } = await simulated(tool);
    expect(found).toMatchObject(verdict);
    expect(explanation).toMatchObject({ decided_by: decider, rego: expect.anything() });
    const again = await explained(await rowOf(tool));
    expect(again.evaluated).toMatchObject(verdict);
    expect(again.agrees).toBe(tool === "pay.slow" ? null : true);
    expect(again.explanation?.rego).toEqual(explanation.rego);
  });

  it("shows every message in an explanation, also those of the milder rule", async () => {
    const { explanation } = await simulated("pay.refund");
    expect(explanation.rego).toEqual({ deny: ["too much"], failed: null, require_approval: ["who"] });
  });

  it("is simulated with the trace of its module, and explained without", async () => {
    const { explanation } = await simulated("pay.refund");
    expect(explanation.rego_trace).toEqual({
      trace: "asked deny pay.refund too much",
      covered: [{ first: 1, last: 1 }],
      not_covered: [{ first: 2, last: 4 }],
      percent: 25,
    });
    expect((await simulated("pay.slow")).explanation).not.toHaveProperty("rego_trace");
    const late = await simulateAll([CALL], textOf("late\ndeny pay.refund too much"));
    expect(late[0]?.explanation).not.toHaveProperty("rego_trace");
    expect((await explained(await rowOf("pay.refund"))).explanation).not.toHaveProperty("rego_trace");
  });

  it("is simulated with the traces of the first calls alone", async () => {
    const calls = Array.from({ length: MAX_TRACED_CALLS + 1 }, () => CALL);
    const simulations = await simulateAll(calls);
    const traced = simulations.map(({ explanation }) => explanation.rego_trace !== undefined);
    expect(traced).toEqual([...calls.slice(1).map(() => true), false]);
  });

  it("is simulated without further traces once they took half of the time", async () => {
    let nowMs = 0;
    const traced = (await simulateAll([CALL, CALL, CALL], DOCUMENT, () => (nowMs += 700))).map(
      ({ explanation }) => explanation.rego_trace !== undefined,
    );
    expect(traced).toEqual([true, true, false]);
  });

  it("has no counterfactual, and says why", async () => {
    const { counterfactual, no_counterfactual } = await explained(await rowOf("pay.refund"));
    expect([counterfactual, no_counterfactual]).toEqual([null, expect.stringContaining("rego_unavailable")]);
  });

  it("is not said to decide again what failed then, or what its row masks", async () => {
    const failed = await explained(
      await rowOf("pay.read", { rego: { deny: [], failed: "rego_timeout", require_approval: [] } }),
    );
    expect([failed.agrees, failed.doubts]).toEqual([null, [expect.stringContaining("rego_timeout")]]);
    const digest = new KeyedDigest(DIGEST_KEY).of('{"to":"x"}');
    const masked = await rowOf("pay.read", { args: { to: "[redacted]" }, args_digest: digest });
    const { agrees, doubts } = await explained(masked);
    expect(agrees).toBeNull();
    expect(doubts).toContain("The Rego module may read an argument that the row masks.");
  });

  it("is replayed as it decides, and says nothing about a module that failed", async () => {
    const rows = await Promise.all(
      ["pay.refund", "pay.send", "pay.read", "pay.wire"].map((tool) => rowOf(tool)),
    );
    expect(await replayed(MODULE, rows)).toMatchObject({ calls: 4, unchanged: 4 });
    expect(await replayed("deny pay.read no", rows)).toMatchObject({ newly_denied: 1, newly_allowed: 2 });
    await expect(replayed("fail pay.read late", rows)).rejects.toThrow("rego_timeout");
  });
});

describe("where nothing runs modules, or the module never runs", () => {
  const UNAVAILABLE = "policy/rego-unavailable";
  const propose = { kind: "propose", agentId: "a", namespace: null, showsArguments: false } as const;
  const replay = { kind: "replay", policyId: "p", agents: null } as const;

  it("a simulation is refused by name", async () => {
    const reply = await simulate([CALL], null);
    expect(JSON.stringify(reply)).toContain(UNAVAILABLE);
    expect(await simulate([CALL], FACTORY, textOf("broken"))).toMatchObject({
      problem: { code: "invalid_policy", detail: "the module is not Rego" },
    });
  });

  it("an explanation is refused by name", async () => {
    await expect(explained(await rowOf("pay.read"), null)).rejects.toThrow(UNAVAILABLE);
  });

  it.each<[string, ReplayWork, EvaluatorFactory | null]>([
    ["a replay", { ...replay, candidate: DOCUMENT }, null],
    ["a proposal", { ...propose, present: DOCUMENT }, FACTORY],
  ])("%s is refused by name", async (_, work, evaluators) => {
    expect(await worked(work, [], evaluators)).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining(UNAVAILABLE),
    });
  });
});
