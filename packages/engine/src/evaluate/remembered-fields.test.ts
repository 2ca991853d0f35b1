import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";
import { parseFieldPath } from "./field-path.ts";
import { FieldMemory, RememberedPaths } from "./remembered-fields.ts";

const deny = (id: string, field: string, value: number): JsonObject => ({
  id,
  match: { condition: { field, operator: ">", value } },
  action: "deny",
});

const policyOf = (rules: readonly JsonObject[]): JsonObject => ({
  id: "p",
  tools: { allowed: ["*"] },
  rules,
});

describe("values that conditions read", () => {
  it("are looked up once per call, however many rules ask for them", () => {
    const policy = compiled(
      policyOf([100, 200, 300].map((value) => deny(`r${value}`, "args.amount", value))),
    );
    let reads = 0;
    const args = Object.defineProperty({}, "amount", {
      enumerable: true,
      get: () => {
        reads += 1;
        return 50;
      },
    }) as JsonObject;
    expect(policy.evaluate(callOf("t", args)).decision).toBe("allow");
    expect(reads).toBe(1);
    policy.evaluate(callOf("t", args));
    expect(reads).toBe(2);
  });

  it("are read anew after a rewrite", () => {
    const rules = [
      { ...deny("first", "args.amount", 1_000), priority: 1 },
      {
        id: "bound",
        priority: 2,
        match: { tool: "*" },
        action: "constrain",
        constrain: { max: { "args.amount": 10 } },
      },
      { ...deny("last", "args.amount", 10), priority: 3 },
    ];
    const policy = compiled(policyOf(rules));
    expect(policy.evaluate(callOf("t", { amount: 500 }))).toMatchObject({
      decision: "allow",
      shapedArgs: { amount: 10 },
    });
    expect(policy.evaluate(callOf("t", { amount: 5_000 })).ruleId).toBe("first");
  });

  it("of different calls do not meet", () => {
    const policy = compiled(policyOf([deny("r", "args.amount", 10), deny("s", "args.amount", 20)]));
    const decisions = [5, 15, 5, 25].map((amount) => policy.evaluate(callOf("t", { amount })).decision);
    expect(decisions).toEqual(["allow", "deny", "allow", "deny"]);
  });

  it("are right where a policy reads more paths than are remembered", () => {
    const names = Array.from({ length: 200 }, (_, at) => `n${String(at)}`);
    const policy = compiled(policyOf(names.map((name) => deny(name, `args.${name}`, 10))));
    const calm = Object.fromEntries(names.map((name) => [name, 1]));
    expect(policy.evaluate(callOf("t", calm)).decision).toBe("allow");
    for (const name of ["n0", "n63", "n64", "n199"])
      expect(policy.evaluate(callOf("t", { ...calm, [name]: 11 })).ruleId).toBe(name);
  });

  it("are right when two policies share a memory", () => {
    const memory = new FieldMemory();
    const args = { a: 1, b: 2 };
    const [a, b] = ["args.a", "args.b"].map((text) => {
      const paths = new RememberedPaths();
      const path = parseFieldPath(text);
      if (path === null) throw new Error(`${text} is not a path`);
      paths.remember(path);
      return paths.remember(path);
    });
    if (a === undefined || b === undefined || a === null || b === null) throw new Error("nothing remembered");
    const read = [a, b, a, b].map((remembered) => memory.valueAt(args, remembered));
    expect(read).toEqual([1, 2, 1, 2]);
  });
});
