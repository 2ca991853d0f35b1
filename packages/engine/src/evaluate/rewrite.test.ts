import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "@svc/text/limits";
import { describe, expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";

const IMPOSSIBLE = { decision: "deny", reasonCode: "constraint_unsatisfiable", shapedArgs: null };

function evaluated(rules: readonly JsonObject[], args: JsonObject): unknown {
  const numbered = rules.map((rule, at) => ({ id: `r${String(at)}`, match: { tool: "*" }, ...rule }));
  return compiled({ id: "p", tools: { allowed: ["*"] }, rules: numbered }).evaluate(callOf("t", args));
}

describe("rewrites", () => {
  it("that outgrow a request body are denied before they grow on", () => {
    const redact = { detectors: ["pii.email"], with: "a@b.example ".repeat(16) };
    const doubling = Array.from({ length: 20 }, () => ({ action: "redact", redact }));
    expect(evaluated(doubling, { x: "a@b.example ".repeat(100) })).toMatchObject(IMPOSSIBLE);
    expect(evaluated(doubling.slice(0, 1), { x: "a@b.example" })).toMatchObject({ decision: "allow" });
    const long = { x: "y".repeat(MAX_BODY_BYTES), z: "a@b.example" };
    expect(evaluated(doubling.slice(0, 1), long)).toMatchObject(IMPOSSIBLE);
  });

  it("that nest deeper than a request may are denied", () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < MAX_JSON_DEPTH - 10; level += 1) deep = [deep];
    const set = { [`args${".a".repeat(20)}`]: deep };
    expect(evaluated([{ action: "constrain", constrain: { set } }], {})).toMatchObject(IMPOSSIBLE);
  });

  it("copy what they change and share the rest", () => {
    const args = { a: { b: 1 }, c: { d: [1] } };
    const rules = [{ action: "constrain", constrain: { set: { "args.a.b": 2 } } }];
    const { shapedArgs } = evaluated(rules, args) as { shapedArgs: typeof args };
    expect(shapedArgs).toEqual({ a: { b: 2 }, c: { d: [1] } });
    expect(shapedArgs.c).toBe(args.c);
    expect(args.a.b).toBe(1);
  });

  it("E1: write own members, whatever their names", () => {
    const args = JSON.parse('{"__proto__": {"x": "a@b.example"}}') as JsonObject;
    expect(evaluated([{ action: "redact", redact: { detectors: ["pii.email"] } }], args)).toMatchObject({
      decision: "allow",
    });
    expect(({} as { x?: string }).x).toBeUndefined();
  });
});

describe("usage", () => {
  it("that a policy reads and nobody supplies is a defect, never an allow", () => {
    const match = { condition: { field: "session.steps", operator: ">", value: 5 } };
    const policy = compiled({
      id: "p",
      tools: { allowed: ["*"] },
      rules: [{ id: "r", match, action: "deny" }],
    });
    expect(policy.needs.usage).toBe(true);
    expect(() => policy.evaluate(callOf("t"))).toThrow("none was supplied");
  });
});
