// long: it compares thousands of generated policies with a naive reading

import { DECISIONS, type Decision } from "@svc/contract/verdict";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareDocument } from "./prepare-document.ts";
import { readPolicy } from "./read-policy.ts";
import { compilePolicy } from "./testing/compile-policy.ts";
import { callOf, compiled } from "./testing/compiled.suite.ts";
import {
  type Action,
  anyRules,
  args,
  callOn,
  condition,
  ending,
  NAMES,
  policyOf,
  presence,
  rulesOf,
  tool,
} from "./testing/generated-policies.suite.ts";

/** 0 is the strictest. */
const looseness = (decision: Decision): number => DECISIONS.indexOf(decision);

function deepFreeze(value: JsonValue): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
}

/** The same value with the keys of every object in reverse order; lists stay as they are. */
function reordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => reordered(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reordered(member)]),
  );
}

describe("compiled policies", () => {
  it("never mutate what they are given, never throw, and answer equal calls equally", () => {
    fc.assert(
      fc.property(policyOf(anyRules), tool, args, (policy, name, given) => {
        deepFreeze(given);
        const built = compiled(policy);
        expect(built.evaluate(callOf(name, given))).toEqual(built.evaluate(callOf(name, given)));
      }),
      { numRuns: runs(400, 4_000) },
    );
  });

  it("answer the same whatever the order of keys", () => {
    fc.assert(
      fc.property(policyOf(anyRules), tool, args, (policy, name, given) => {
        const one = compiled(policy).evaluate(callOf(name, given));
        const other = compiled(reordered(policy) as JsonObject).evaluate(
          callOf(name, reordered(given) as JsonObject),
        );
        expect(other).toEqual(one);
      }),
      { numRuns: runs(400, 4_000) },
    );
  });

  // proves POL-56
  it("are the same prepared from their text and from their JSON", () => {
    fc.assert(
      fc.property(policyOf(anyRules), (policy) => {
        const source = JSON.stringify(policy, null, 2);
        const reading = readPolicy(source);
        const asJson = reading.ok ? JSON.stringify(reading.value) : null;
        expect([reading.ok, prepareDocument({ source: "", json: asJson })]).toEqual([
          true,
          prepareDocument({ source, json: null }),
        ]);
      }),
      { numRuns: runs(400, 4_000) },
    );
  });

  it("a deny rule added anywhere, an allow rule or an allowed glob removed, never loosen", () => {
    const added = rulesOf(fc.constant<Action>({ action: "deny" }), condition);
    fc.assert(
      fc.property(policyOf(anyRules), added, fc.nat(6), callOn, (policy, denies, at, [name, given]) => {
        const before = looseness(compiled(policy).evaluate(callOf(name, given)).decision);
        const more = [
          ...policy.rules.slice(0, at),
          ...denies.map((rule, index) => ({ ...rule, id: `d${String(index)}` })),
          ...policy.rules.slice(at),
        ];
        const lists = { ...policy, tools: { ...policy.tools, allowed: policy.tools.allowed.slice(1) } };
        expect(
          looseness(compiled({ ...policy, rules: more }).evaluate(callOf(name, given)).decision),
        ).toBeLessThanOrEqual(before);
        expect(looseness(compiled(lists).evaluate(callOf(name, given)).decision)).toBeLessThanOrEqual(before);
        if (before > 0) return;
        const fewer = { ...policy, rules: policy.rules.filter(({ action }) => action !== "allow") };
        expect(compiled(fewer).evaluate(callOf(name, given)).decision).toBe("deny");
      }),
      { numRuns: runs(400, 4_000) },
    );
  });

  it("fail_closed never loosens, rewrites aside", () => {
    const rules = rulesOf(ending, fc.oneof(condition, presence));
    fc.assert(
      fc.property(policyOf(rules), tool, args, (policy, name, given) => {
        const [closed, open] = [true, false].map(
          (fail_closed) => compiled({ ...policy, fail_closed }).evaluate(callOf(name, given)).decision,
        );
        expect(looseness(closed ?? "allow")).toBeLessThanOrEqual(looseness(open ?? "deny"));
      }),
      { numRuns: runs(1_000, 10_000) },
    );
  });
});

describe("E8: type confusion", () => {
  const restricting = fc.tuple(condition, fc.constantFrom("deny", "require_approval"));
  const otherTypes: JsonValue[] = ["7", 7, true, null, {}, []];

  // proves POL-25
  it("a value that no rule can judge never loosens what any number of rules say", () => {
    fc.assert(
      fc.property(
        policyOf(rulesOf(ending, condition)),
        callOn,
        fc.constantFrom(...NAMES),
        (policy, [name, given], garbled) => {
          const built = compiled(policy);
          const before = looseness(built.evaluate(callOf(name, given)).decision);
          if (!Object.hasOwn(given, garbled)) return;
          expect(
            looseness(built.evaluate(callOf(name, { ...given, [garbled]: null })).decision),
          ).toBeLessThanOrEqual(before);
        },
      ),
      { numRuns: runs(3_000, 30_000) },
    );
  });

  // proves POL-25
  it("changing the type of the field a rule restricts never loosens the answer", () => {
    fc.assert(
      fc.property(
        restricting,
        args,
        fc.constantFrom(...NAMES),
        fc.constantFrom(...otherTypes),
        ([test, action], given, name, other) => {
          const policy = compiled({
            id: "p",
            tools: { allowed: ["*"] },
            rules: [{ id: "r", match: { condition: test }, action }],
          });
          const before = policy.evaluate(callOf("x", given)).decision;
          const { field: path, operator } = test as { field: string; operator: string };
          const top = path.split(".")[1];
          // Another type than the rule compares with; the same type is another value, which may well be fine.
          const comparable = Array.isArray(test["value"])
            ? typeof (test["value"] as JsonValue[])[0]
            : typeof test["value"];
          const judged =
            typeof other === comparable ||
            ["contains", "detects"].includes(operator) ||
            path.split(".").length > 2;
          if (name !== top || judged || before === "allow") return;
          expect(
            looseness(policy.evaluate(callOf("x", { ...given, [name]: other })).decision),
          ).toBeLessThanOrEqual(looseness(before));
        },
      ),
      { numRuns: runs(3_000, 30_000) },
    );
  });
});

describe("Y2: a field of another type", () => {
  const FULL: JsonObject = {
    id: "p",
    name: "P",
    agent_id: "a",
    governance_mode: "enforcement",
    fail_closed: true,
    session: { max_steps: 5 },
    cost: { max_usd_per_session: 5, tool_prices: { x: 1 } },
    tools: { allowed: ["pay"], denied: ["x"] },
    rules: [
      {
        id: "r",
        priority: 1,
        match: { tool: "pay", condition: { field: "args.amount", operator: ">", value: 5 } },
        action: "deny",
      },
      {
        id: "s",
        priority: 2,
        match: { tool: "pay", any: [{ field: "args.p", operator: "path_within", value: "/srv" }] },
        action: "redact",
        redact: { fields: ["args.p"], mask: "hash" },
      },
    ],
  };
  const values: JsonValue[] = ["false", "x", "", 0, -1, 1.5, true, false, null, [], {}, [null], { a: 1 }];
  const probes = ["pay", "x", "other"].flatMap((name) =>
    [{}, { amount: 9 }, { amount: 1, p: "/srv/a" }].map((given) => callOf(name, given)),
  );

  function* mutations(value: JsonValue): Generator<JsonValue> {
    yield* values;
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries<JsonValue>(value)) {
      for (const mutated of mutations(member)) {
        if (Array.isArray(value)) yield value.with(Number(name), mutated);
        else yield { ...(value as JsonObject), [name]: mutated };
      }
    }
  }

  it("is refused, or leaves the policy no less strict than a policy without the field", () => {
    const strict = compiled(FULL);
    let accepted = 0;
    for (const mutated of mutations(FULL)) {
      const result = compilePolicy(JSON.stringify(mutated));
      if (!result.ok) continue;
      accepted += 1;
      // What is accepted is a value of the right type: it says what it says. Closed stays closed.
      const closed = (mutated as JsonObject)["fail_closed"] !== false;
      for (const call of probes) {
        const decision = result.policy.evaluate(call).decision;
        const named = JSON.stringify(mutated).includes(`"${call.tool}"`);
        if (closed && !named) expect(decision).toBe("deny");
        if (closed && strict.evaluate(call).reasonCode === "not_allowed") expect(decision).toBe("deny");
      }
    }
    expect(accepted).toBeGreaterThan(5);
  });

  // proves POL-11
  it("a missing fail_closed is true and a missing governance_mode is enforcement", () => {
    const policy = compiled({ id: "p" });
    expect(policy.mode).toBe("enforcement");
    expect(policy.evaluate(callOf("x"))).toMatchObject({ decision: "deny", reasonCode: "not_allowed" });
  });
});
