import { expect, it } from "vitest";
import { compileExamined } from "../testing/compile-examined.suite.ts";

const policyOf = (match: string, tools = "[orders.read, payments.refund]", action = "deny") => `
id: p
tools: {allowed: ${tools}}
rules:
  - {id: big, match: ${match}, action: ${action}}
`;

function codesOf(source: string): readonly string[] {
  const result = compileExamined(source);
  return (result.ok ? result.warnings : result.diagnostics).map(({ code }) => code);
}

const OVER = '{field: args.amount, operator: ">", value: 100}';
const CODE = "policy/every-tool-judged";

// proves POL-78
it.each([
  ["a condition", policyOf(`{condition: ${OVER}}`)],
  ["a rule that pauses", policyOf(`{condition: ${OVER}}`, "[orders.read, pay]", "require_approval")],
  ["one of several conditions", policyOf(`{all: [${OVER}, {field: args.to, operator: "==", value: x}]}`)],
  ["a condition below not", policyOf('{not: {field: args.amount, operator: "<=", value: 100}}')],
  ["globs of tools", policyOf(`{condition: ${OVER}}`, "[orders.*, payments.*]")],
  ["elements of a list", policyOf("{condition: {field: args.to, any: {operator: ends_with, value: x}}}")],
])("warns of %s that judges every tool", (_, source) => {
  expect(new Set(codesOf(source))).toEqual(new Set([CODE]));
});

// proves POL-78
it.each([
  ["a rule that names its tool", policyOf(`{tool: payments.refund, condition: ${OVER}}`)],
  ["a rule that says that it means every tool", policyOf(`{tool: "*", condition: ${OVER}}`)],
  [
    "an optional argument",
    policyOf('{condition: {field: args.a, operator: ">", value: 1, when_missing: skip}}'),
  ],
  ["a policy with one tool", policyOf(`{condition: ${OVER}}`, "[payments.refund]")],
  ["a rule that demands an argument", policyOf("{condition: {field: args.reason, operator: not_exists}}")],
  ["a condition on all arguments", policyOf("{condition: {field: args, operator: contains, value: x}}")],
  ["a policy that fails open", `${policyOf(`{condition: ${OVER}}`)}fail_closed: false\n`],
])("says nothing of %s", (_, source) => {
  expect(codesOf(source)).not.toContain(CODE);
});

// proves POL-78
it("says which tool, what happens to it, and how to say what is meant", () => {
  const result = compileExamined(policyOf(`{condition: ${OVER}}`));
  expect(
    result.ok && result.warnings.map(({ message, fix, witness }) => ({ message, fix, witness })),
  ).toEqual([
    {
      message:
        "big names no tool, so it judges calls of every tool, such as orders.read, and denies those that " +
        "have no args.amount",
      fix:
        "add tool: [...] with the tools that have this argument below match; or write {field: args.amount, " +
        'operator: ">", value: 100, when_missing: skip}; or write tool: "*" if such calls are to be stopped',
      witness: expect.objectContaining({ decision: "deny" }) as object,
    },
  ]);
});
