import { MAX_REASON_LENGTH } from "@svc/contract/limits";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { callOf, compiled, OWN_DETECTORS } from "../testing/compiled.suite.ts";
import { dataFile } from "../testing/data-files.suite.ts";

const ALLOW = { id: "allow", action: "allow", match: { tool: "*" } };
const BIG = { field: "args.amount", operator: ">", value: 500 };

/** Ends the reason of every pause. */
const HOLDS = "; the approval holds for this call in session s";

function reasonOf(match: JsonObject, args: JsonObject, action = "deny"): string | null {
  const rules = [{ id: "big", match, action }];
  return compiled({ id: "p", tools: { allowed: ["*"] }, detectors: OWN_DETECTORS, rules }).evaluate(
    callOf("pay", args),
  ).reason;
}

describe("rules that pause the same call", () => {
  const plain = { id: "plain", action: "require_approval", match: { condition: BIG } };
  const board = { ...plain, id: "board", approval: { workflow: "board" } };

  it.each<[string, JsonObject[], string]>([
    ["one priority", [plain, board], "board"],
    ["one priority, the workflow first", [board, plain], "board"],
    ["a later priority", [plain, { ...board, priority: 200 }], "board"],
    ["an earlier priority", [plain, { ...board, priority: 1 }], "board"],
    ["the same workflow again", [plain, board, { ...board, id: "board-2", priority: 200 }], "board"],
    ["an allow between", [plain, { ...board, priority: 200 }, { ...ALLOW, priority: 150 }], "board"],
    ["an allow before", [plain, { ...board, priority: 200 }, { ...ALLOW, priority: 1 }], "allow"],
  ])("let the first with a workflow ask: %s", (_, rules, ruleId) => {
    const policy = compiled({ id: "p", tools: { allowed: ["*"] }, rules });
    const { decision, ruleId: asked, onApproval } = policy.evaluate(callOf("pay", { amount: 900 }));
    expect([asked ?? decision, onApproval?.workflow ?? "allow"]).toEqual([ruleId, ruleId]);
  });
});

// proves APR-74
describe("rules that pause the same call by different workflows", () => {
  const board = {
    id: "board",
    action: "require_approval",
    match: { condition: BIG },
    approval: { workflow: "b" },
  };
  const finance = { ...board, id: "finance", approval: { workflow: "f" } };
  const plain = { id: "plain", action: "require_approval", match: { condition: BIG } };
  const evaluation = (rules: JsonObject[]) =>
    compiled({ id: "p", tools: { allowed: ["*"] }, rules }).evaluate(callOf("pay", { amount: 900 }));

  it.each<[string, JsonObject[]]>([
    ["one priority", [finance, board]],
    ["a later priority", [finance, { ...board, priority: 200 }]],
    ["none before them", [{ ...plain, priority: 1 }, { ...finance, priority: 50 }, board]],
    ["an allow between", [finance, { ...ALLOW, priority: 150 }, { ...board, priority: 200 }]],
  ])("deny it: %s", (_, rules) => {
    const { decision, reasonCode, ruleId, reason } = evaluation(rules);
    expect([decision, reasonCode, ruleId]).toEqual(["deny", "approval_workflow_conflict", "finance"]);
    expect(reason).toBe(
      "the rule finance and the rule board require approval by different workflows, f and b, and an " +
        "approval has one: let their conditions exclude each other, or name one workflow",
    );
  });

  it("let one ask where a rule of an earlier priority allows, or only one matches", () => {
    const allowed = evaluation([{ ...ALLOW, priority: 1 }, finance, board]);
    expect(allowed.decision).toBe("allow");
    const never = { ...board, match: { condition: { ...BIG, value: 1_000 } } };
    expect(evaluation([never, finance])).toMatchObject({ decision: "pause", ruleId: "finance" });
  });
});

describe("reasons", () => {
  it("name the rule alone when its conditions hold", () => {
    expect(reasonOf({ condition: BIG }, { amount: 900 })).toBe("the rule big denies this call");
    expect(reasonOf({ condition: BIG }, { amount: 900 }, "require_approval")).toBe(
      `the rule big requires approval of this call${HOLDS}`,
    );
  });

  it("end with the message of the rule", () => {
    const message = "Open a pull request instead.";
    const rule = { id: "r", match: { condition: BIG }, message };
    const reasonBy = (more: JsonObject, args: JsonObject): string | null =>
      compiled({ id: "p", tools: { allowed: ["*"] }, rules: [{ ...rule, ...more }] }).evaluate(
        callOf("pay", args),
      ).reason;
    expect(reasonBy({ action: "deny" }, { amount: 900 })).toBe(`the rule r denies this call. ${message}`);
    expect(reasonBy({ action: "require_approval" }, {})).toMatch(
      / counts as a match .* rule; the .* s\. Open a pull/,
    );
    const constrain = { max: { "args.amount": 5, "args.other": 5 } };
    expect(reasonBy({ action: "constrain", constrain }, { amount: 900 })).toBe(
      `the rule r cannot be applied: args.other is missing. ${message}`,
    );
  });

  // proves POL-47
  it.each<[string, JsonObject, string]>([
    ["a missing field", {}, "args.amount is missing, and a missing field"],
    [
      "a text",
      { amount: "900" },
      "args.amount is a text, which the operator > cannot judge, and a value that cannot be judged",
    ],
    [
      "a list",
      { amount: [9] },
      "args.amount is a list, which the operator > cannot judge, and a value that cannot be judged",
    ],
    [
      "null",
      { amount: null },
      "args.amount is a null, which the operator > cannot judge, and a value that cannot be judged",
    ],
    [
      "true",
      { amount: true },
      "args.amount is a boolean, which the operator > cannot judge, and a value that cannot be judged",
    ],
    [
      "an object",
      { amount: {} },
      "args.amount is an object, which the operator > cannot judge, and a value that cannot be judged",
    ],
  ])("name the cause of a match without judgement: %s", (_, args, cause) => {
    expect(reasonOf({ condition: BIG }, args)).toBe(
      `the rule big denies this call: ${cause} counts as a match for a deny rule`,
    );
    expect(reasonOf({ condition: BIG }, args, "require_approval")).toBe(
      `the rule big requires approval of this call: ${cause} counts as a match for a require_approval ` +
        `rule${HOLDS}`,
    );
  });

  // proves POL-47
  it("name the condition that could not be judged, also among several and on the way to a field", () => {
    const tool = { field: "tool", operator: "==", value: "pay" };
    const deep = { field: "args.a.b", operator: "==", value: "x" };
    expect(reasonOf({ all: [tool, BIG] }, {})).toContain("args.amount is missing");
    expect(reasonOf({ any: [BIG, deep] }, { amount: 1, a: [{ b: "y" }] })).toContain(
      "args.a.b cannot be reached, because the arguments have another shape there",
    );
  });

  // proves POL-47
  it("never hold a value of the arguments", () => {
    const SECRET = "hunter2-7f3a";
    const values: JsonValue[] = [SECRET, [SECRET], { [SECRET]: SECRET }, [[SECRET]], { value: SECRET }];
    for (const { operator, value } of dataFile<{ operator: string; value: JsonValue }[]>("operators.yaml")) {
      for (const action of ["deny", "require_approval"]) {
        for (const found of values) {
          const args = { amount: found, a: found };
          for (const field of ["args.amount", "args.a.b", "args.missing"]) {
            const reason = reasonOf({ condition: { field, operator, value } }, args, action) ?? "";
            expect(reason).not.toContain(SECRET);
            expect(reason.length).toBeLessThanOrEqual(MAX_REASON_LENGTH);
          }
        }
      }
    }
  });

  // proves POL-47
  it.each<[string, JsonObject, string]>([
    ["missing", {}, "args.amount is missing"],
    ["a text", { amount: "900" }, "args.amount is not a number"],
  ])("name what a bound cannot be applied to: %s", (_, args, cause) => {
    const constrain = { max: { "args.amount": 5 } };
    const rules = [{ id: "clamp", match: { tool: "pay" }, action: "constrain", constrain }];
    const policy = compiled({ id: "p", tools: { allowed: ["*"] }, rules });
    expect(policy.evaluate(callOf("pay", args)).reason).toBe(`the rule clamp cannot be applied: ${cause}`);
  });

  it("stay short for a long field of the policy", () => {
    const field = `args.${"x".repeat(5_000)}`;
    expect(reasonOf({ condition: { ...BIG, field } }, {})?.length).toBeLessThan(MAX_REASON_LENGTH);
  });

  // proves POL-47
  it("name the rule that would have allowed the call, and why it did not", () => {
    const within = { field: "args.path", operator: "path_within", value: "/srv/work" };
    const rules = [{ id: "in-workspace", match: { tool: "fs.*", condition: within }, action: "allow" }];
    const policy = compiled({ id: "p", rules });
    const reasonFor = (args: JsonObject) => policy.evaluate(callOf("fs.read", args)).reason;
    const would = "the policy does not allow the tool fs.read: the rule in-workspace would allow it, but";
    expect(reasonFor({})).toBe(`${would} args.path is missing`);
    expect(reasonFor({ path: 5 })).toBe(
      `${would} args.path is a number, which the operator path_within cannot judge`,
    );
    expect(reasonFor({ path: "$HOME/x" })).toBe(
      `${would} args.path is a text with several readings, which the operator path_within cannot judge`,
    );
    expect(reasonFor({ path: "/etc/passwd" })).toContain("to allow it, add it to tools.allowed");
    expect(reasonFor({ path: "/srv/work/a" })).toBeNull();
  });

  // proves POL-47
  it("say how to allow a tool that nothing allows, and which member names the session", () => {
    expect(compiled({ id: "p" }).evaluate(callOf("pay")).reason).toBe(
      "the policy does not allow the tool pay: to allow it, add it to tools.allowed or write a rule with " +
        "action: allow",
    );
    const limited = compiled({ id: "p", session: { max_steps: 5 } });
    expect(limited.evaluate(callOf("pay", {}, { sessionId: null })).reason).toBe(
      "the policy limits sessions, and the call has no session ID: send session_id",
    );
  });
});
