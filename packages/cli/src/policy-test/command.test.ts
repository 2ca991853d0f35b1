import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const POLICY = `id: p
agent_id: payer
session: {max_steps: 3}
cost: {max_usd_per_session: 1, tool_prices: {pay: 0.4}}
tools: {allowed: [pay, mail.*], denied: [db.*]}
rules:
  - id: cap
    match: {tool: pay, condition: {field: args.amount, operator: ">", value: 500}}
    action: require_approval
  - {id: bound, match: {tool: mail.send}, action: constrain, constrain: {max: {args.n: 10}}}
`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  write("p.yaml", POLICY);
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

const run = (args: readonly string[], outIsTerminal = false) =>
  runCaptured(["test", ...args], { workingDirectory: folder, outIsTerminal });

/** Runs cases, given as JSON. */
async function test(cases: readonly object[], ...args: readonly string[]) {
  write("cases.json", JSON.stringify(cases, null, 1));
  return run(["p.yaml", "--mock", "cases.json", ...args]);
}

const ALLOW = { decision: "allow" };
const NOT_ALLOWED =
  "the policy does not allow the tool other: to allow it, add it to tools.allowed or write a rule with " +
  "action: allow";
const PAY = { tool: "pay", args: { amount: 1 } };
const BIG = { tool: "pay", args: { amount: 600 } };

describe("svc-cli test", () => {
  // proves CLI-02
  it("runs the cases and counts what passed", async () => {
    const cases = [
      { name: "small", tool: "pay", args: { amount: 5 }, expect: ALLOW },
      { name: "big", ...BIG, expect: { decision: "pause", rule_id: "cap", reason: "/approval/i" } },
      { name: "bounded", tool: "mail.send", args: { n: 99 }, expect: { ...ALLOW, shaped_args: { n: 10 } } },
      { name: "denied", tool: "db.drop", expect: { decision: "deny", reason_code: "tool_denied" } },
      { tool: "other" },
    ];
    expect(await test(cases)).toEqual({
      exitCode: 0,
      out: `ok   small
ok   big
ok   bounded
ok   denied
--   other: deny: ${NOT_ALLOWED}

4 passed, 1 without an expectation
`,
      error: "",
    });
  });

  // proves CLI-17
  it("shows of a failed case what was expected, what came, and the trace with the values", async () => {
    const { exitCode, out } = await test([{ name: "big", ...BIG, expect: ALLOW }]);
    expect(exitCode).toBe(1);
    expect(out).toContain("FAIL big\n     cases.json:2:2\n     expected decision: allow\n");
    expect(out).toContain("     got      decision: pause\n");
    expect(out).toContain("         args.amount > 500: holds, found 600\n");
    expect(out).toContain("0 passed, 1 failed\n");
  });

  // proves CLI-18
  it("runs the calls of a session in their order, with its ceilings", async () => {
    const call = { tool: "mail.read", session_id: "s" };
    const stopped = { decision: "deny", reason_code: "max_steps" };
    expect(
      await test([
        { ...call, repeat: 3, expect: ALLOW },
        { ...call, expect: stopped },
        { ...call, session_id: "other", expect: ALLOW },
        { ...call, agent_id: "another", expect: ALLOW },
        { ...PAY, session_id: "money", repeat: 2, expect: ALLOW },
        { ...PAY, session_id: "money", expect: { decision: "deny", reason_code: "max_cost" } },
        { ...PAY, session_id: null, expect: { decision: "deny", reason_code: "session_required" } },
      ]),
    ).toMatchObject({ exitCode: 0 });
    const { exitCode, out } = await test([{ ...call, repeat: 4, expect: ALLOW }]);
    expect(exitCode).toBe(1);
    expect(out).toContain("call 4, cases.json:2:2");
  });

  // proves CLI-18
  it("has a clock that stands where the cases put it", async () => {
    write(
      "hours.yaml",
      `id: p
tools: {allowed: [pay]}
rules:
  - id: night
    match:
      tool: pay
      condition: {field: time, operator: within, value: {from: "20:00", to: "23:00", zone: UTC}}
    action: deny
`,
    );
    const at = (time: string, decision: string) => ({ tool: "pay", time, expect: { decision } });
    write(
      "hours.json",
      JSON.stringify([at("2026-06-01T09:00:00Z", "allow"), at("2026-06-01T23:00:00+02:00", "deny")]),
    );
    const hours = await run(["hours.yaml", "--mock", "hours.json"]);
    expect(hours).toMatchObject({ exitCode: 0, error: "" });
    const back = [
      { tool: "pay", session_id: "s", time: "2026-06-01T09:00:00Z" },
      { tool: "pay", session_id: "s", time: "2026-06-01T08:59:59Z" },
    ];
    expect(await test(back)).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining("cases.json:7:2: time: expected at least 2026-06-01T09:00:00.000Z"),
    });
  });

  // proves CLI-99
  it("takes a list of decisions, and not_allow for every one with which the call does not run", async () => {
    const cases = (decision: unknown) => [
      { name: "paused", tool: "pay", args: { amount: 5_000 }, expect: { decision } },
      { name: "denied", tool: "other", expect: { decision } },
    ];
    for (const decision of ["not_allow", ["deny", "pause"], ["pause", "not_allow"]])
      expect(await test(cases(decision))).toMatchObject({ exitCode: 0 });
    const { exitCode, out } = await test([
      ...cases("deny"),
      { name: "runs", tool: "mail.read", expect: { decision: ["deny", "pause"] } },
      { name: "runs, too", tool: "mail.read", expect: { decision: "not_allow" } },
    ]);
    expect(exitCode).toBe(1);
    expect(out).toContain("expected decision: deny or pause");
    expect(out).toContain("expected decision: not_allow");
    expect((await test([{ tool: "pay", expect: { decision: [] } }])).exitCode).toBe(2);
  });

  // proves CLI-02
  it("names every fault of the file of cases, at its place", async () => {
    const { exitCode, out, error } = await test([
      { tool: "pay", expect: { decison: "deny" } },
      { tol: "pay" },
      { tool: "pay", args: [], repeat: 0, expect: { decision: "no" } },
    ]);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(error).toContain(
      'cases.json:5:15: expect.decison: expected no field of this name, found the string "deny"; ' +
        "did you mean decision?",
    );
    expect(error).toContain("cases.json:8:2: tool: expected ");
    expect(error).toContain("did you mean tool?");
    expect(error).toContain("expect.decision: expected one of deny, pause, allow, not_allow, or a list of");
    write("empty.json", "[]");
    expect(await run(["p.yaml", "--mock", "empty.json"])).toMatchObject({ exitCode: 2, out: "" });
    expect(await run(["p.yaml", "--mock", "none.json"])).toMatchObject({ exitCode: 2, out: "" });
    expect(await run(["p.yaml"])).toMatchObject({ exitCode: 2, out: "" });
  });

  // proves CLI-02
  it("fails for a policy that a server refuses", async () => {
    write("bad.yaml", "id: p\nrulez: []\n");
    write("one.json", JSON.stringify([{ tool: "a" }]));
    expect(await run(["bad.yaml", "--mock", "one.json"])).toMatchObject({
      exitCode: 1,
      out: "",
      error: expect.stringContaining("bad.yaml:2:1: error: unknown key"),
    });
  });

  it("says what enforcement answers when the mode is another one", async () => {
    write("shadow.yaml", "id: p\ngovernance_mode: shadow\ntools: {allowed: [a]}\n");
    write("b.json", JSON.stringify([{ tool: "b", expect: { decision: "deny" } }]));
    const { exitCode, error } = await run(["shadow.yaml", "--mock", "b.json"]);
    expect(exitCode).toBe(0);
    expect(error).toContain("warning: the mode of the policy is shadow: a gateway allows every call now.");
  });

  // proves CLI-31
  it.each(["pretty", "json", "junit", "github", "tap", "sarif"])(
    "shows no secret of a case, as %s",
    async (form) => {
      const key = "AKIAIOSFODNN7EXAMPLQ";
      const call = { tool: "mail.send", args: { to: key, n: 1 } };
      const wrong = { ...ALLOW, shaped_args: { to: key, n: 2 } };
      const { exitCode, out, error } = await test([call, { ...call, expect: wrong }], "-o", form);
      expect(exitCode).toBe(1);
      expect(out).toContain("mail.send");
      expect(out + error).not.toContain(key);
    },
  );

  it("reports the cases that --run names, after all have run", async () => {
    const call = { tool: "mail.read", session_id: "s" };
    const cases = [
      { ...call, repeat: 3 },
      { ...call, name: "fourth", expect: { decision: "deny" } },
    ];
    expect(await test(cases, "--run", "^four")).toMatchObject({
      exitCode: 0,
      out: "ok   fourth\n\n1 passed\n",
    });
    expect(await test(cases, "--run", "none")).toMatchObject({ exitCode: 2 });
    expect(await test(cases, "--run", "(")).toMatchObject({ exitCode: 2 });
  });
});

const COMPLETE = [
  { name: "small", tool: "pay", args: { amount: 500 }, expect: ALLOW },
  { name: "big", tool: "pay", args: { amount: 501 }, expect: { decision: "pause", rule_id: "cap" } },
  { name: "bound", tool: "mail.send", args: { n: 11 }, expect: { ...ALLOW, shaped_args: { n: 10 } } },
  { name: "denied", tool: "db.x", expect: { decision: "deny", reason_code: "tool_denied" } },
  { name: "unknown", tool: "x", expect: { decision: "deny", reason_code: "not_allowed" } },
  { name: "steps", tool: "mail.x", session_id: "s", repeat: 3, expect: ALLOW },
  { name: "step 4", tool: "mail.x", session_id: "s", expect: { decision: "deny" } },
  { name: "cost", tool: "pay", session_id: "m", repeat: 2, args: { amount: 1 }, expect: ALLOW },
  { name: "cost 3", tool: "pay", session_id: "m", args: { amount: 1 }, expect: { decision: "deny" } },
];

describe("svc-cli test --coverage", () => {
  // proves CLI-19
  it("lists what no case reached, and fails below the threshold", async () => {
    const { exitCode, out } = await test(COMPLETE.slice(0, 1), "--threshold", "50");
    expect(exitCode).toBe(1);
    expect(out).toContain("coverage: 28.5% (2 of 7), at least 50% wanted\n");
    expect(out).toContain("p.yaml:7: no case in which the rule cap matches\n");
    expect(out).toContain("p.yaml:7: no case in which args.amount > of cap holds\n");
    expect(out).toContain("p.yaml:5: no case in which db.* of tools.denied matches\n");
    expect(await test(COMPLETE.slice(0, 1), "--coverage")).toMatchObject({ exitCode: 0 });
    expect(await test(COMPLETE, "--threshold", "100")).toMatchObject({ exitCode: 0 });
  });
});

describe("svc-cli test --mutate", () => {
  // proves CLI-20
  it("lists the changes of the policy that no case notices", async () => {
    const whole = await test(COMPLETE, "--mutate");
    expect(whole.exitCode).toBe(0);
    expect(whole.out).toMatch(/mutation: (\d+) of \1 changes were noticed/);
    const { exitCode, out } = await test(
      COMPLETE.filter(({ name }) => name !== "big"),
      "--mutate",
    );
    expect(exitCode).toBe(0);
    expect(out).toContain("p.yaml:7: not noticed: the rule cap is removed\n");
    expect(out).toContain("p.yaml:7: not noticed: the rule cap has the action allow\n");
  });

  it("needs cases that pass", async () => {
    expect(await test([{ ...BIG, expect: ALLOW }], "--mutate")).toMatchObject({ exitCode: 1, out: "" });
  });
});

describe("the forms of svc-cli test", () => {
  const cases = [
    { name: "small", tool: "pay", args: { amount: 5 }, expect: ALLOW },
    { name: "big", ...BIG, expect: ALLOW },
  ];

  // proves CLI-13
  it("json has a schema, and every case", async () => {
    const { exitCode, out } = await test(cases, "-o", "json", "--threshold", "10");
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      schema: "svc.cli.test/v1",
      passed: 1,
      failed: 1,
      cases: [
        { name: "small", outcome: "passed", got: { decision: "allow" } },
        {
          name: "big",
          outcome: "failed",
          got: { decision: "pause", rule_id: "cap" },
          mismatches: [{ member: "decision", expected: "allow", got: "pause" }],
        },
      ],
      coverage: { percent: 57.1, threshold: 10 },
    });
    const lines = (await test(cases, "-o", "ndjson")).out.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(["small", "big"]);
  });

  // proves CLI-16
  it("github, junit, sarif and tap name the place of a failed case", async () => {
    expect((await test(cases, "-o", "github")).out).toMatch(
      /^::error file=cases\.json,line=12,col=2,title=test\/unexpected-decision::big: decision: exp/,
    );
    expect((await test(cases, "-o", "junit")).out).toContain('tests="2" failures="1"');
    expect((await test(cases, "-o", "sarif")).out).toContain('"startLine": 12');
    const tap = (await test(cases, "-o", "tap", "--threshold", "90")).out;
    expect(tap).toContain("1..3\nok 1 - cases.json: small\nnot ok 2 - cases.json: big\n");
    expect(tap).toContain("not ok 3 - p.yaml: coverage is at least 90%\n");
  });
});

// proves CLI-02
it("finds the cases that stand beside the policy, and names where it looked", async () => {
  write("beside.yaml", POLICY);
  expect(await run(["beside.yaml"])).toMatchObject({
    exitCode: 2,
    error:
      "error: --mock: expected a file of cases, because none of beside.test.json, beside.test.yaml, " +
      "beside.test.yml is there\n",
  });
  write("beside.test.json", JSON.stringify([{ tool: "mail.read", expect: ALLOW }]));
  const { exitCode, out } = await run(["beside.yaml"]);
  expect([exitCode, out]).toEqual([0, expect.stringContaining("1 passed")]);
});
