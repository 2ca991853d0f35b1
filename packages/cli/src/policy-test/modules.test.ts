// long: it compiles Open Policy Agent
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const POLICY = `id: p
governance_mode: shadow
tools: {allowed: [pay]}
rules:
  - {id: large, match: {tool: pay, condition: {field: args.amount, operator: ">", value: 100}}, action: deny}
rego:
  workflow: finance
  module: |
    package p

    deny contains "not on Sundays" if time.weekday(time.parse_rfc3339_ns(input.time)) == "Sunday"

    require_approval contains "the third payment" if input.session.steps >= 2
`;
const MONDAY = "2026-06-01T12:00:00Z";
const SUNDAY = "2026-06-07T12:00:00Z";
const PAY = { tool: "pay", args: { amount: 1 } };
const BY_MODULE = { decision: "deny", rule_id: "rego:deny", reason: "not on Sundays" };
const ASKED = { decision: "pause", rule_id: "rego:require_approval" };

/** Some 100,000 sums. */
const SLOW = `${POLICY}
    deny contains "never" if {
      some a in numbers.range(1, 300)
      some b in numbers.range(1, 300)
      a + b == 0
    }
`;

function run(cases: readonly object[], ...args: readonly string[]) {
  const workingDirectory = mkdtempSync(join(tmpdir(), "svc-test-"));
  onTestFinished(() => rmSync(workingDirectory, { recursive: true }));
  writeFileSync(join(workingDirectory, "p.yaml"), POLICY);
  writeFileSync(join(workingDirectory, "cases.json"), JSON.stringify(cases));
  return runCaptured(["test", "p.yaml", "--mock", "cases.json", ...args], { workingDirectory });
}

it("runs the module of a policy beside its rules, at the time and in the session of each case", async () => {
  const cases = [
    { ...PAY, time: MONDAY, expect: { decision: "allow" } },
    { ...PAY, time: SUNDAY, expect: BY_MODULE },
    { ...PAY, time: MONDAY, args: { amount: 900 }, expect: { decision: "deny", rule_id: "large" } },
    { ...PAY, time: MONDAY, session_id: "s", repeat: 2, expect: { decision: "allow" } },
    { ...PAY, session_id: "s", expect: ASKED },
  ];
  const { exitCode, out } = await run(cases, "--coverage", "--mutate");
  expect([exitCode, out]).toEqual([0, expect.stringContaining("5 passed")]);
});

it("shows what the module said in a case that fails", async () => {
  const { exitCode, out } = await run([{ ...PAY, time: SUNDAY, expect: { decision: "allow" } }]);
  expect([exitCode, out]).toEqual([1, expect.stringContaining("rego deny: not on Sundays")]);
});

it("warns of a module that takes longer than a gateway waits", async () => {
  const workingDirectory = mkdtempSync(join(tmpdir(), "svc-test-"));
  onTestFinished(() => rmSync(workingDirectory, { recursive: true }));
  writeFileSync(join(workingDirectory, "p.yaml"), SLOW);
  const call = JSON.stringify({ ...PAY, time: MONDAY });
  const { error } = await runCaptured(["explain", "p.yaml", call], { workingDirectory });
  expect(error).toMatch(/the Rego module took \d+ ms for one call: a gateway denies after 50 ms/);
});
