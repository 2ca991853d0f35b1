import { expect, it } from "vitest";
import { compilePolicy } from "../testing/compile-policy.ts";
import { callOf, compiled } from "../testing/compiled.suite.ts";

const POLICY = `
id: p
lists:
  team: [ann@acme.example]
  known: [{list: team}, bob@acme.example]
tools: {allowed: [mail.send]}
rules:
  - id: strangers
    match: {tool: mail.send, condition: {field: args.to, operator: not_in, value: {list: known}}}
    action: deny
    message: Write to people that we know.
  - id: by-hand
    match: {tool: mail.send, condition: {field: args.cc, operator: exists, when_missing: skip}}
    action: require_approval
`;

// proves POL-76
it("the reason of a rule names the lists of its conditions", () => {
  const policy = compiled(POLICY);
  expect(policy.evaluate(callOf("mail.send", { to: "eve@evil.example" })).reason).toBe(
    "the rule strangers, which names the list known, denies this call. Write to people that we know.",
  );
  expect(policy.evaluate(callOf("mail.send", { to: "ann@acme.example" })).decision).toBe("allow");
  const paused = policy.evaluate(callOf("mail.send", { to: "ann@acme.example", cc: "x" })).reason;
  expect(paused).toContain("the rule by-hand requires approval");
});

/** A policy of one rule that denies the tool by a value that the list holds. */
function findings(policy: string): readonly string[] {
  const result = compilePolicy(policy);
  return result.ok ? [] : result.diagnostics.map(({ pointer, found, fix }) => `${pointer}: ${found}; ${fix}`);
}

// proves POL-77
it.each([
  [
    "a name that no list has",
    "lists: {known: [a]}\ntools: {allowed: [{list: knwon}]}",
    ['/tools/allowed/0/list: the text "knwon"; did you mean known?'],
  ],
  [
    "a policy without lists",
    "tools: {allowed: {list: a}}",
    ['/tools/allowed/list: the text "a"; add lists: {a: [...]} to the policy, or write the values here'],
  ],
  [
    "a number for a tool",
    "lists: {n: [1, 2]}\ntools: {allowed: [x, {list: n}]}",
    ['/tools/allowed/1: the number 1, from the list n; put it in quotes: "1"'],
  ],
])("a finding about %s names the field and the list", (_, text, wanted) => {
  expect(findings(`id: p\n${text}`)).toEqual(wanted);
});

// proves POL-77
it("lists that hold each other are refused, also where no rule names them", () => {
  const chain = Array.from({ length: 60 }, (_, at) => `  l${String(at)}: [{list: l${String(at + 1)}}]`);
  expect(findings(`id: p\nlists:\n${chain.join("\n")}\n  l60: [{list: l0}]`)).toHaveLength(1);
  expect(findings(`id: p\nlists:\n${chain.join("\n")}\n  l60: [x]`)).toEqual([]);
});

// proves POL-77
it("a list may hold so many values, in itself and in all places together", () => {
  const values = Array.from({ length: 500 }, (_, at) => `v${String(at)}`).join(", ");
  const lists = `lists:\n  one: [${values}]\n  two: [{list: one}, {list: one}]\n`;
  expect(findings(`id: p\n${lists}`)).toEqual([]);
  expect(findings(`id: p\n${lists}  three: [{list: two}, x]`)).toHaveLength(1);
  const rule = (at: number) =>
    `  - {id: r${String(at)}, match: {not: {field: args.x, operator: in, value: {list: two}}}, action: deny}`;
  const rules = (count: number) => Array.from({ length: count }, (_, at) => rule(at)).join("\n");
  expect(findings(`id: p\n${lists}rules:\n${rules(190)}`)).toEqual([]);
  expect(findings(`id: p\n${lists}rules:\n${rules(202)}`)).toHaveLength(1);
});

// proves POL-76
it("what constrain sets and the prices of tools may look like a list", () => {
  const text = `
id: p
lists: {a: [x]}
tools: {allowed: [pay]}
cost: {tool_prices: {list: "0.5"}}
rules:
  - {id: set, match: {tool: pay}, action: constrain, constrain: {set: {args.x: {list: a}}}}
`;
  expect(compiled(text).evaluate(callOf("pay", {})).shapedArgs).toEqual({ x: { list: "a" } });
});
