import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const POLICY = `id: p
session: {max_steps: 3}
tools: {allowed: [pay]}
rules:
  - id: cap
    match: {tool: pay, condition: {field: args.amount, operator: ">", value: 500}}
    action: require_approval
`;
const KEY = "AKIAIOSFODNN7EXAMPLQ";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-explain-"));
  writeFileSync(join(folder, "p.yaml"), POLICY);
  writeFileSync(join(folder, "shadow.yaml"), `${POLICY}governance_mode: shadow\n`);
  writeFileSync(join(folder, "call.json"), '{"tool": "pay", "args": {"amount": 600}}');
});
afterAll(() => rmSync(folder, { recursive: true }));

const HOLDS_FOR = "the approval holds for this call in the session that asks";

const explain = (args: readonly string[], stdin = "") =>
  runCaptured(["explain", ...args], { workingDirectory: folder, stdin });
const explainThis = (call: object) => explain(["p.yaml", JSON.stringify(call)]);

describe("svc-cli explain", () => {
  // proves CLI-24
  it("shows the steps with their values, and the smallest change of the decision", async () => {
    const expected = {
      exitCode: 0,
      out: `pause by the rule cap: pay under the policy p
  reason: the rule cap requires approval of this call; ${HOLDS_FOR}

  decided by rule
  tools.denied: no glob matches
  rule cap (require_approval) matched: its conditions hold
    args.amount > 500: holds, found 600
  tools.allowed: matched by pay
  session.max_steps: 3, used 0 before this call

The policy says allow after this change: args.amount <= 500, such as 500 (rule cap)
`,
      error: "",
    };
    expect(await explain(["p.yaml", "call.json"])).toEqual(expected);
    expect(await explain(["p.yaml", "-"], '{"tool": "pay", "args": {"amount": 600}}')).toEqual(expected);
    expect(await explainThis({ tool: "pay", args: { amount: 600 } })).toEqual(expected);
    expect(await explain(["p.yaml", "pay", "amount=600"])).toEqual(expected);
  });

  it("explains what a module says, and refuses one that says nothing", async () => {
    const module =
      'package a\ndeny contains "not in June" if time.date(time.parse_rfc3339_ns(input.time))[1] == 6';
    writeFileSync(join(folder, "rego.yaml"), `${POLICY}rego: ${JSON.stringify(module)}\n`);
    const call = { tool: "pay", args: { amount: 1 }, time: "2026-06-01T12:00:00Z" };
    const { exitCode, out } = await explain(["rego.yaml", JSON.stringify(call)]);
    expect([exitCode, out]).toEqual([0, expect.stringContaining("rego deny: not in June")]);
    expect(out).toMatch(/^deny by the rule rego:deny: pay/);
    const later = await explain(["rego.yaml", JSON.stringify({ ...call, time: "2026-07-01T12:00:00Z" })]);
    expect(later.out).toMatch(/^allow: pay/);
    writeFileSync(join(folder, "none.yaml"), `${POLICY}rego: package a\n`);
    const refused = await explain(["none.yaml", "pay"]);
    expect([refused.exitCode, refused.error]).toEqual([1, expect.stringContaining("rego/no-rule")]);
  });

  // proves CLI-24
  it("reads arguments as JSON, or else as text, and a tool without arguments", async () => {
    const values = ["amount=1", "to=DE89 3704", "note=", 'tags=["a","b"]', "flag=true", "eq=a=b"];
    const { exitCode, out } = await explain(["p.yaml", "pay", ...values, "--json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ schema: "svc.cli.explain/v1", verdict: { decision: "allow" } });
    expect((await explain(["p.yaml", "other.tool"])).out).toContain("deny: other.tool under");
    for (const [value, message] of [
      ["amount", "expected name=value"],
      ["=1", "expected name=value"],
      ["amount=2", "amount: expected one value, found two"],
    ] as const) {
      const wrong = await explain(["p.yaml", "pay", "amount=1", value]);
      expect([wrong.exitCode, wrong.out]).toEqual([2, ""]);
      expect(wrong.error).toContain(message);
    }
  });

  // proves CLI-24
  it("knows ceilings, sessions and modes", async () => {
    const small = { tool: "pay", args: { amount: 1 } };
    expect((await explainThis({ ...small, session: { steps: 3 } })).out).toContain("decided by ceiling\n");
    expect((await explainThis({ ...small, session_id: null })).out).toContain("decided by session\n");
    const { out } = await explain(["shadow.yaml", "call.json"]);
    expect(out).toContain("allow: pay under the policy p\n  enforcement would answer pause: ");
  });

  it("has everything as JSON", async () => {
    const { out } = await explain(["p.yaml", '{"tool": "x"}', "-o", "json"]);
    expect(JSON.parse(out)).toMatchObject({
      schema: "svc.cli.explain/v1",
      policy_id: "p",
      verdict: { decision: "deny", reason_code: "not_allowed" },
      explanation: { decided_by: "fail_closed" },
      counterfactual: { kind: "list_entry", change: "add", list: "tools.allowed", entry: "x" },
    });
  });

  it("masks a secret among the arguments", async () => {
    const { out } = await explainThis({ tool: "pay", args: { amount: KEY } });
    expect(out).toContain("args.amount > 500");
    expect(out).not.toContain(KEY);
  });

  it.each([
    [
      '{"tol": "pay"}',
      'the call: tol: expected no field of this name, found the string "pay"; did you mean tool?',
    ],
    ['{"tool": "pay",}', "the call:1:16: not strict JSON"],
    ['{"tool": "pay", "session": {"steps": -1}}', "the call: session.steps: expected "],
    ["none.json", "none.json: expected a call in JSON: there is no such file"],
  ])("refuses %s", async (action, message) => {
    const { exitCode, out, error } = await explain(["p.yaml", action]);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error).toContain(message);
  });
});
