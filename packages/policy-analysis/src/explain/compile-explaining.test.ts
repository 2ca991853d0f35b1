import { compileAtOnce } from "@svc/engine/compile-document";
import { decidingDocument } from "@svc/engine/document-parts";
import { readPolicy } from "@svc/engine/read-policy";
import { callOf } from "@svc/engine/testing/compiled";
import { anyRules, args, policyOf, tool } from "@svc/engine/testing/generated-policies";
import type { JsonObject } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileExplaining, type ExplainingPolicy } from "./compile-explaining.ts";
import { simulateCall } from "./simulate-call.ts";

function deciding(document: JsonObject) {
  const reading = readPolicy(JSON.stringify(document));
  if (!reading.ok) throw new Error(JSON.stringify(reading.diagnostics));
  return decidingDocument(reading.document);
}

function explaining(document: JsonObject): ExplainingPolicy {
  return compileExplaining(deciding({ id: "p", ...document }));
}

const NO_SWITCH = { checked: [], matched: null } as const;
const UNUSED = { steps: 0, costMicroUsd: 0 } as const;

const simulated = (document: JsonObject, name: string, given: JsonObject, usage = UNUSED) =>
  simulateCall(explaining(document), {
    call: callOf(name, given, { usage }),
    killSwitches: NO_SWITCH,
  });

describe("an explanation", () => {
  // proves POL-66
  it("never has another opinion than the evaluation", () => {
    const policies = policyOf(anyRules);
    fc.assert(
      fc.property(policies, fc.array(fc.tuple(tool, args), { minLength: 1, maxLength: 4 }), (one, calls) => {
        const document = deciding(one);
        const explained = compileExplaining(document);
        for (const [name, given] of calls) {
          const call = callOf(name, given);
          const { evaluation, steps, decidedBy } = explained.explain(call);
          expect(evaluation).toEqual(compileAtOnce(document).evaluate(call));
          expect(steps.rules).toHaveLength([...document.rules].length);
          if (evaluation.ruleId !== null) {
            expect(decidedBy).toBe("rule");
            const decisive = steps.rules.find(({ id }) => id === evaluation.ruleId);
            expect(["matched", "counts_as_matched"]).toContain(decisive?.outcome);
          }
        }
      }),
      { numRuns: runs(1_000, 10_000) },
    );
  });

  // proves POL-89
  it("names the detectors of the policy", () => {
    const condition = { field: "args.x", operator: "detects", value: ["chk", "pii.email"] };
    const rules = [{ id: "r", match: { condition }, action: "deny" }];
    const policy = explaining({ detectors: { chk: { matches: "CHK-[0-9]+" } }, rules });
    const { steps } = policy.explain(callOf("t", { x: "CHK-7" }));
    expect(steps.rules[0]?.conditions).toMatchObject([{ expected: ["chk", "pii.email"], truth: "holds" }]);
  });

  const RULES: JsonObject = {
    tools: { allowed: ["pay.*"], denied: ["pay.never"] },
    rules: [
      { id: "mail", priority: 1, match: { tool: "mail.*" }, action: "deny" },
      {
        id: "late",
        priority: 2,
        match: {
          all: [
            { field: "args.amount", operator: ">", value: 5 },
            { field: "args.to", operator: "exists" },
          ],
        },
        action: "deny",
      },
      {
        id: "hide",
        priority: 3,
        action: "redact",
        match: { tool: "pay.*" },
        redact: { fields: ["args.card"], mask: "last4" },
      },
      {
        id: "big",
        priority: 4,
        match: { tool: "pay.*", condition: { field: "args.amount", operator: ">", value: 2 } },
        action: "require_approval",
      },
      { id: "last", priority: 5, match: { tool: "*" }, action: "allow" },
    ],
  };

  // proves POL-66
  it("says of each rule what it saw and what became of it", () => {
    const { verdict, explanation } = simulated(RULES, "pay.card", { amount: 3, card: "4111111111111111" });
    expect(verdict).toMatchObject({ decision: "pause", rule_id: "big", reason_code: "approval_required" });
    expect(explanation).toMatchObject({ decided_by: "rule", denied: [], allowed: ["pay.*"] });
    expect(explanation.rules.map(({ id, outcome, why }) => [id, outcome, why])).toEqual([
      ["mail", "other_tool", "the rule is about the tool mail.*, and not about pay.card"],
      ["late", "not_matched", "the condition on args.amount (>) does not hold"],
      ["hide", "matched", "the tool matches; it rewrites the arguments"],
      ["big", "matched", "its conditions hold"],
      [
        "last",
        "not_reached",
        "big requires approval, so later allow rules have no effect, and later require_approval " +
          "rules only if they name another workflow",
      ],
    ]);
    expect(explanation.rules[1]?.conditions).toEqual([
      { field: "args.amount", operator: ">", expected: 5, truth: "fails", found: 3 },
      { field: "args.to", operator: "exists", truth: "not_judged" },
    ]);
  });

  // proves POL-66
  it.each<[JsonObject, JsonObject, JsonObject]>([
    [
      { field: "args.to", every: { operator: "ends_with", value: ["@a", "@b"] } },
      { to: ["x@a", "y@c"] },
      {
        field: "args.to",
        operator: "every ends_with",
        expected: ["@a", "@b"],
        truth: "fails",
        found: ["x@a", "y@c"],
      },
    ],
    [
      { fields: ["args.to", "args.cc"], count: { operator: ">", value: 1 } },
      { to: ["x"], cc: ["y"] },
      { field: "args.to, args.cc", operator: "count >", expected: 1, truth: "holds", found: ["x", "y"] },
    ],
    [
      { field: "args.items.*.price", any: { operator: ">", value: 5 } },
      { items: [{ price: 1 }, {}] },
      { field: "args.items.*.price", operator: "any >", expected: 5, truth: "unsure", found: [1, null] },
    ],
    [
      { field: "args.items", any: { operator: ">", value: 5 } },
      { items: "6" },
      { field: "args.items", operator: "any >", expected: 5, truth: "unsure", found: "6" },
    ],
    [
      { field: "args", operator: "contains", value: "drop" },
      { a: ["drop"] },
      { field: "args", operator: "contains", expected: "drop", truth: "holds", found: { a: ["drop"] } },
    ],
    [
      { field: "args.a", operator: "==", value_field: "args.b" },
      { a: "x", b: "x" },
      { field: "args.a", operator: "==", expected: "args.b", truth: "holds", found: "x" },
    ],
    [
      { field: "args.a", operator: "==", value: "X", ignore_case: true },
      { a: "x" },
      { field: "args.a", operator: "==", expected: "X", truth: "holds", found: "x" },
    ],
    [
      { field: "args.a", operator: "==", value: "x", null: "missing", when_missing: "skip" },
      { a: null },
      { field: "args.a", operator: "==", expected: "x", truth: "missing", found: null },
    ],
    [
      { field: 'args."x.y"', operator: "not_empty" },
      { "x.y": " " },
      { field: 'args."x.y"', operator: "not_empty", truth: "fails", found: " " },
    ],
  ])("shows what %j saw", (condition, given, told) => {
    const other = { field: "args.none", operator: "exists" };
    const nested = { any: [{ all: [{ not: condition }, other] }, condition] };
    const rules = [{ id: "r", match: { tool: ["x", "t"], ...nested }, action: "deny" }];
    const { rules: explained } = simulated({ tools: { allowed: ["*"] }, rules }, "t", given).explanation;
    expect(explained[0]?.tool).toBe("x, t");
    expect(explained[0]?.conditions).toContainEqual(told);
    expect(explained[0]?.conditions).toHaveLength(3);
  });

  it.each<[JsonObject, string, JsonObject, string]>([
    [RULES, "pay.never", {}, "tools.denied"],
    [{ session: { max_steps: 1 } }, "x", {}, "fail_closed"],
    [{ tools: { allowed: ["*"] } }, "x", {}, "tools.allowed"],
    [{ fail_closed: false, tools: { denied: ["y"] } }, "x", {}, "fail_closed"],
    [{ rules: [{ id: "r", match: { tool: "x" }, action: "allow" }] }, "x", {}, "rule"],
    [{ session: { max_steps: 0 }, tools: { allowed: ["*"] } }, "x", {}, "ceiling"],
  ])("of %j names what decided on %s", (document, name, given, decider) => {
    expect(simulated(document, name, given).explanation.decided_by).toBe(decider);
  });

  // proves POL-67
  it("shows no value that the audit row would mask, and no long one", () => {
    const secret = "AKIAIOSFODNN7EXAMPLE";
    const rule = (id: string, field: string) => ({
      id,
      match: { condition: { field, operator: "==", value: "x" } },
      action: "deny",
    });
    const document = {
      tools: { allowed: ["*"] },
      rules: [
        rule("a", "args.key"),
        rule("b", "args.pin"),
        rule("c", "args.long"),
        rule("d", "args.deep"),
        { id: "hide", match: { tool: "*" }, action: "redact", redact: { fields: ["args.pin"] } },
      ],
    };
    const given = { key: secret, pin: "9876", long: "z".repeat(300), deep: { a: ["y".repeat(300)] } };
    const { explanation } = simulated(document, "t", given);
    const shown = explanation.rules.flatMap(({ conditions }) => conditions.map(({ found }) => found));
    expect(shown).toEqual([
      "[masked:secret.aws_key]",
      "[masked:rule:hide]",
      `${"z".repeat(200)}... (300 characters)`,
      expect.stringMatching(/^\{"a":\["y+\.\.\. \(310 characters\)$/),
    ]);
    expect(JSON.stringify(explanation)).not.toContain("9876");
  });

  it.each([
    ["enforcement", { decision: "deny", reason_code: "max_steps", would_be: null }],
    ["shadow", { decision: "allow", reason_code: null, would_be: { reason_code: "max_steps" } }],
  ])("applies the mode %s to a ceiling", (mode, verdict) => {
    const document = { governance_mode: mode, session: { max_steps: 3 }, tools: { allowed: ["*"] } };
    const used = simulateCall(explaining(document), {
      call: callOf("t", {}, { usage: { steps: 3, costMicroUsd: 0 } }),
      killSwitches: NO_SWITCH,
    });
    expect(used.verdict).toMatchObject(verdict);
    expect(used.explanation.ceilings.max_steps).toEqual({ limit: "3", used: "3", call: "1", exceeded: true });
  });

  it("lets a kill switch decide before the policy, in every mode", () => {
    const matched = {
      kill_switch_id: "ks_1",
      scope: "agent",
      target_id: "a",
      account_wide: false,
      reason: "x",
    } as const;
    const { verdict, explanation } = simulateCall(
      explaining({ governance_mode: "shadow", tools: { allowed: ["*"] } }),
      { call: callOf("t", {}, { usage: UNUSED }), killSwitches: { checked: ["agent a"], matched } },
    );
    expect(verdict).toMatchObject({ decision: "deny", reason_code: "kill_switch", kill_switch_id: "ks_1" });
    expect(explanation.decided_by).toBe("kill_switch");
  });
});
