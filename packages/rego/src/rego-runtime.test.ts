// long: it compiles Open Policy Agent
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OPA_VERSION, type RegoModule, type RegoRuntime, RegoUnusable } from "./rego-runtime.ts";
import { SLOW_TO_COMPILE } from "./testing/hostile-modules.ts";
import { openPatientRego } from "./testing/patient-rego.ts";

const OWNER = { organization: "org_a", policyId: "pol_a", version: 1 };

const SPEND = `package spend

deny contains message if {
	input.args.amount > data.limit
	message := sprintf("%v is more than %v", [input.args.amount, data.limit])
}

require_approval contains "weekend" if input.args.weekend
`;

const INPUT = {
  tool: "payments.send",
  args: { amount: 150, weekend: true },
  agent_id: "a",
  namespace: "default",
  time: "2026-11-28T12:00:00Z",
  session: { steps: 1, cost_usd: 0 },
};

function moduleOf(text: string): RegoModule {
  return { text, data: null };
}

let rego: RegoRuntime;

beforeAll(() => {
  rego = openPatientRego();
});

afterAll(async () => {
  await rego.close();
});

describe("the evaluation of a module", () => {
  it("yields the messages of both rules", async () => {
    const prepared = await rego.prepare({ text: SPEND, data: { limit: 100 } }, OWNER);
    expect(await prepared.evaluate(JSON.stringify(INPUT))).toEqual({
      kind: "messages",
      deny: ["150 is more than 100"],
      requireApproval: ["weekend"],
    });
    const harmless = { ...INPUT, args: { amount: 1 } };
    expect(await prepared.evaluate(JSON.stringify(harmless))).toEqual({
      kind: "messages",
      deny: [],
      requireApproval: [],
    });
    prepared.close();
    expect(await prepared.evaluate(JSON.stringify(INPUT))).toMatchObject({ code: "rego_unavailable" });
  });

  it.each([
    ["messages that are not strings", "deny contains m if m := input.args.amount", "rego_shape"],
    ["an empty message", 'deny contains m if m := trim(input.args.text, "x")', "rego_shape"],
    [
      "more messages than fit",
      'deny contains m if { some i in numbers.range(1, 65); m := sprintf("%d", [i]) }',
      "rego_shape",
    ],
    [
      "an error of a built-in function",
      "deny contains m if { m := input.args.text; to_number(m) > 1 }",
      "rego_error",
    ],
    [
      "two values of one function",
      'f(x) := 1 if x\nf(x) := 2 if x\ndeny contains "m" if f(true) == 1',
      "rego_error",
    ],
  ])("fails on %s", async (_, rule, code) => {
    const prepared = await rego.prepare(moduleOf(`package p\n${rule}`), OWNER);
    const input = JSON.stringify({ ...INPUT, args: { amount: 1, text: "x" } });
    const result = await prepared.evaluate(input);
    expect(result).toMatchObject({ kind: "failed", code });
    expect(JSON.stringify(result)).not.toContain('"x"');
    prepared.close();
  });

  it("fails on input that is not JSON", async () => {
    const prepared = await rego.prepare(moduleOf(SPEND), OWNER);
    expect(await prepared.evaluate("{")).toMatchObject({ kind: "failed", code: "rego_error" });
    prepared.close();
  });
});

describe("the check of a module", () => {
  it.each<[string, string, object]>([
    ["what is not Rego", "package p\ndeny contains", { code: "rego/syntax", row: 2 }],
    ["an empty text", "", { code: "rego/syntax", row: 1 }],
    [
      "a name that no input has",
      'package p\ndeny contains "m" if input.tol == "x"',
      {
        code: "rego/type",
        row: 2,
        expected: expect.stringContaining("tool"),
      },
    ],
    [
      "a call of the network",
      'package p\ndeny contains "m" if {\n  http.send({"url": "x"})\n}',
      {
        code: "rego/forbidden-builtin",
        row: 3,
        found: "http.send",
      },
    ],
    [
      "the clock",
      'package p\ndeny contains "m" if time.now_ns() > 1',
      {
        code: "rego/forbidden-builtin",
        fix: expect.stringContaining("input.time"),
      },
    ],
    ["an unused variable", 'package p\ndeny contains "m" if { x := input.tool }', { code: "rego/compile" }],
    ["neither rule", "package p\nallow if true", { code: "rego/no-rule", row: 2 }],
    ["a single value", 'package p\ndeny := "m" if input.tool == "x"', { code: "rego/rule-shape", row: 2 }],
    ["a boolean", "package p\ndeny if true", { code: "rego/rule-shape" }],
    ["a default", "package p\ndefault deny := false", { code: "rego/rule-shape" }],
    ["a function", "package p\ndeny(x) := x", { code: "rego/rule-shape" }],
    ["an object", "package p\ndeny[x] := 1 if x := input.tool", { code: "rego/rule-shape" }],
    ["a set of numbers", "package p\ndeny contains 1", { code: "rego/rule-shape" }],
    ["a set of objects", 'package p\ndeny contains {"msg": 1}', { code: "rego/rule-shape" }],
    ["a text that is too large", `package p\n#${"x".repeat(70_000)}`, { code: "rego/too-large" }],
  ])("refuses %s", async (_, text, problem) => {
    const { problems } = await rego.check(moduleOf(text));
    expect(problems[0]).toMatchObject({ severity: "error", ...problem });
    const preparation = rego.prepare(moduleOf(text), OWNER);
    await expect(preparation).rejects.toThrow(RegoUnusable);
  });

  it("takes the syntax before Rego v1, and names the form of v1", async () => {
    const text = 'package p\ndeny[msg] {\n  input.tool == "x"\n  msg := "no"\n}';
    const check = await rego.check(moduleOf(text));
    expect(check).toMatchObject({
      rules: ["deny"],
      problems: [
        { severity: "warning", code: "rego/old-syntax", row: 2, fix: "Write `deny contains msg if {`." },
      ],
    });
    const prepared = await rego.prepare(moduleOf(text), OWNER);
    const result = await prepared.evaluate(JSON.stringify({ ...INPUT, tool: "x" }));
    expect(result).toMatchObject({ deny: ["no"] });
    prepared.close();
  });

  it("refuses data that the policy does not give, which is undefined in every call", async () => {
    const text =
      'package p\ndeny contains m if some m in data.m # data.n\ndeny contains "data.n" if data.p.x';
    const { problems } = await rego.check({ text, data: { k: 1 } });
    expect(problems).toMatchObject([{ code: "rego/unknown-data", row: 2, column: 30, found: "data.m" }]);
    expect((await rego.check({ text, data: { m: ["no"] } })).problems).toEqual([]);
  });

  it.each([
    ["data.a.c", { a: { b: 1 } }, "data.a.b", "Write rego: as a mapping, with module: and, under data.a, c:"],
    ["data.a.b.c", { a: { b: 1 } }, "data beside the module", "under data.a.b, c:"],
    ["data.a.b", { a: { b: 1 } }, null, null],
    ["data.a[input.tool].c", { a: { b: 1 } }, null, null],
  ])("compares %s with the data %j", async (reference, data, wanted, fix) => {
    const { problems } = await rego.check({ text: `package p\ndeny contains "m" if ${reference}`, data });
    const found = { code: "rego/unknown-data", found: reference, expected: wanted };
    expect(problems).toMatchObject(fix === null ? [] : [{ ...found, fix: expect.stringContaining(fix) }]);
  });

  it("says what to do about a module whose check takes too long", async () => {
    const hurried = openPatientRego({ compileMs: 100 });
    const { problems } = await hurried.check(moduleOf(SLOW_TO_COMPILE));
    await hurried.close();
    expect(problems).toMatchObject([
      {
        code: "rego/unchecked",
        found: "checking it did not end within 0.1 s",
        fix: "Make the module smaller: trying again helps only if the machine was busy.",
      },
    ]);
  });

  it("reports a few problems of one kind, however many there are", async () => {
    const many = (line: (at: number) => string) =>
      Array.from({ length: 1_000 }, (_, at) => line(at)).join("\n");
    const texts = [
      many((at) => `deny contains "${String(at)}" if data.n${String(at)}`),
      many((at) => `deny contains "${String(at)}" if not input.args.n > ${String(at)}`),
      `deny contains "no" if {\n${many(() => "\tprint(1)")}\n\tinput.tool == "x"\n}`,
    ];
    const checks = await Promise.all(texts.map((text) => rego.check(moduleOf(`package p\n${text}\n`))));
    expect(checks.map(({ problems }) => problems.length)).toEqual([20, 20, 20]);
  });

  it("finds nothing in a good module", async () => {
    expect(await rego.check({ text: SPEND, data: { limit: 100 } })).toEqual({
      problems: [],
      rules: ["deny", "require_approval"],
    });
  });
});

describe("the explanation of an evaluation", () => {
  it("has the result, the trace and the lines that ran", async () => {
    const explained = await rego.explain({ text: SPEND, data: { limit: 100 } }, JSON.stringify(INPUT));
    expect(explained.result).toMatchObject({ deny: ["150 is more than 100"] });
    expect(explained.trace).toMatch(/policy\.rego:4 .*= input\.args\.amount/);
    const lines = [
      { first: 3, last: 5 },
      { first: 8, last: 8 },
    ];
    expect(explained.coverage).toEqual({ covered: lines, notCovered: [], percent: 100 });
    const harmless = JSON.stringify({ ...INPUT, args: { amount: 1 } });
    const { coverage } = await rego.explain({ text: SPEND, data: { limit: 100 } }, harmless);
    expect(coverage.notCovered).toContainEqual({ first: 5, last: 5 });
    expect(coverage.percent).toBeLessThan(100);
  });

  it("fails as the evaluation does", async () => {
    const module = moduleOf("package p\ndeny contains m if m := input.args.amount");
    const { result } = await rego.explain(module, JSON.stringify(INPUT));
    expect(result).toMatchObject({ code: "rego_shape" });
    const broken = await rego.explain(moduleOf("package p"), JSON.stringify(INPUT));
    expect(broken.result).toMatchObject({ code: "rego_error" });
  });
});

it("keeps the unpacked program, and unpacks it again when its bytes are others", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-rego-"));
  const first = openPatientRego({ folder });
  expect((await first.check({ text: SPEND, data: { limit: 100 } })).problems).toEqual([]);
  await first.close();
  const files = await readdir(folder);
  expect(files).toHaveLength(1);
  await writeFile(join(folder, files[0] ?? ""), "not a program");
  const second = openPatientRego({ folder });
  expect((await second.check({ text: SPEND, data: { limit: 100 } })).problems).toEqual([]);
  await second.close();
  await rm(folder, { recursive: true });
});

it("says that a module is not checked when it is closed", async () => {
  const closed = openPatientRego();
  await closed.close();
  expect((await closed.check({ text: SPEND, data: { limit: 100 } })).problems).toMatchObject([
    { code: "rego/unchecked" },
  ]);
  const preparation = closed.prepare(moduleOf(SPEND), OWNER);
  await expect(preparation).rejects.not.toThrow(RegoUnusable);
  expect(await closed.explain(moduleOf(SPEND), "{}")).toMatchObject({ result: { code: "rego_unavailable" } });
  expect(OPA_VERSION).toMatch(/^1\.\d+\.\d+$/);
});
