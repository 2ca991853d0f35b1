// long: it compiles Open Policy Agent
import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

/** A module of a newcomer, and what the finding about it says: its place, what came, what to do. */
type Wrong = readonly [why: string, module: string, place: string, found: string, fix: RegExp];

const X = 'if input.tool == "x"';

const WRONG: readonly Wrong[] = [
  [
    "a wrong name in the input",
    `package p\ndeny contains "no" if input.tool_name == "x"`,
    "5:25 rego/type",
    "input.tool_name",
    /Did you mean input\.tool\?/,
  ],
  [
    "a wrong name in the session",
    'package p\ndeny contains "no" if input.session.step > 3',
    "5:25 rego/type",
    "input.session.step",
    /Did you mean input\.session\.steps\?/,
  ],
  [
    "a member of a text",
    'package p\ndeny contains "no" if input.tool.name == "x"',
    "5:25 rego/type",
    "input.tool.name",
    /Write input\.tool\./,
  ],
  [
    "allow in place of deny",
    `package p\ndefault allow := false\nallow ${X}`,
    "5:3 rego/no-rule",
    "the rule allow",
    /Add `deny contains "not allowed" if not allow`/,
  ],
  [
    "a misspelt rule",
    `package p\n\ndenny contains "no" ${X}`,
    "6:3 rego/no-rule",
    "the rule denny",
    /Did you mean deny\?/,
  ],
  [
    "no package",
    `deny contains "no" ${X}`,
    "4:3 rego/syntax",
    'deny contains "no" if input.tool == "x"',
    /Begin the module with a line such as `package policy`/,
  ],
  [
    "a call of the network",
    'package p\ndeny contains "no" if {\n  http.send({"method": "get"}).status_code == 200\n}',
    "6:5 rego/forbidden-builtin",
    "http.send",
    /put what it needs into `data`/,
  ],
  [
    "print",
    'package p\ndeny contains "print()" if {\n  print("here", input.tool)\n  input.tool == "x" # print()\n}',
    "6:5 rego/forbidden-builtin",
    "print",
    /`svc-cli explain` shows the messages/,
  ],
  [
    "the clock",
    'package p\ndeny contains "late" if time.clock(time.now_ns())[0] > 18',
    "5:38 rego/forbidden-builtin",
    "time.now_ns",
    /input\.time/,
  ],
  [
    "else on a set",
    `package p\ndeny contains "no" ${X} else := "other"`,
    "5:43 rego/syntax",
    'else := "other"',
    /Write a second rule/,
  ],
  [
    "a default value",
    "package p\ndefault deny := false",
    "5:3 rego/rule-shape",
    "a default value",
    /Remove this line/,
  ],
  [
    "a value in place of a set",
    `package p\ndeny := "no" ${X}`,
    "5:3 rego/rule-shape",
    "a single value",
    /Write `deny contains message if/,
  ],
  [
    "a set of objects",
    `package p\ndeny contains {"msg": "no"} ${X}`,
    "5:3 rego/rule-shape",
    "a set of object<msg: string>",
    /Put only the text of the message/,
  ],
  [
    "no if",
    'package p\ndeny contains "no" {\n  input.tool == "x"\n}',
    "5:3 rego/syntax",
    'deny contains "no" {',
    /Write `deny contains message if/,
  ],
  [
    "single quotes",
    "package p\ndeny contains 'no' if input.tool == 'x'",
    "5:17 rego/syntax",
    "'no' if input.tool == 'x'",
    /double quotes/,
  ],
  [
    "&& between conditions",
    `package p\ndeny contains "no" ${X} && input.args.a`,
    "5:44 rego/syntax",
    "& input.args.a",
    /on lines of their own/,
  ],
  [
    "|| between conditions",
    `package p\ndeny contains "no" ${X} || input.args.a`,
    "5:44 rego/syntax",
    "| input.args.a",
    /Write a second rule of the same name/,
  ],
  [
    "a word in place of an operator",
    'package p\ndeny contains "no" if input.tool matches "x"',
    "5:36 rego/syntax",
    'matches "x"',
    /regex\.match\(pattern, text\)/,
  ],
  [
    "not in",
    'package p\ndeny contains "no" if input.tool not in {"x"}',
    "5:40 rego/syntax",
    'in {"x"}',
    /Write `not x in xs`/,
  ],
  [
    "! before a condition",
    'package p\ndeny contains "no" if !input.args.a',
    "5:25 rego/syntax",
    "!input.args.a",
    /`not`/,
  ],
  [
    "a comment of another language",
    `package p\n// no x\ndeny contains "no" ${X}`,
    "5:3 rego/syntax",
    "// no x",
    /Begin the comment with #/,
  ],
  [
    "an open brace",
    'package p\ndeny contains "no" if {\n  input.tool == "x"',
    "6:22 rego/syntax",
    "the end of the line",
    /still open/,
  ],
  [
    "a function of another language",
    'package p\ndeny contains "no" if starts_with(input.tool, "x")',
    "5:25 rego/type",
    "starts_with",
    /startswith\(text, beginning\)/,
  ],
  [
    "too few arguments",
    `package p\ndeny contains sprintf("%v") ${X}`,
    "5:17 rego/type",
    "sprintf(string)",
    /Call sprintf with 2 arguments/,
  ],
  [
    "a text against a number",
    'package p\ndeny contains "no" if input.tool == 3',
    "5:25 rego/type",
    "string and number",
    /values of one type/,
  ],
  [
    "a message that is never made",
    'package p\ndeny contains message if {\n  input.tool == "x"\n}',
    "5:17 rego/compile",
    "message",
    /`message := \.\.\.`/,
  ],
  [
    "a variable that is not used",
    `package p\ndeny contains "no" if {\n  amount := input.args.amount\n  input.tool == "x"\n}`,
    "6:5 rego/compile",
    "amount",
    /Use amount, or remove/,
  ],
  [
    "an import that is not used",
    `package p\nimport input.args\ndeny contains "no" ${X}`,
    "5:3 rego/compile",
    "input.args",
    /Remove the import/,
  ],
  [
    "data that the policy does not give",
    'package p\n# data.known\ndeny contains "data.known" if input.args.to in data.blocked',
    "6:50 rego/unknown-data",
    "data.blocked",
    /under data:, blocked:/,
  ],
  [
    "the form of v1 behind the form before it",
    `package p\ndeny[m] {\n  input.tool == "x"\n  m := "no"\n}\ndeny contains "y" ${X}`,
    "9:3 rego/syntax",
    expect.stringContaining("deny contains"),
    /mixes the form before Rego v1/,
  ],
  [
    "the form before v1 behind that of v1",
    `package p\ndeny contains "y" if not good\ngood { input.args.x == 1 }`,
    "6:3 rego/syntax",
    expect.stringContaining("good {"),
    /mixes the form before Rego v1/,
  ],
  [
    "an approval without a workflow",
    `package p\nrequire_approval contains "ask" ${X}`,
    "5:3 rego/no-workflow",
    "a module without a workflow",
    /workflow:/,
  ],
];

const HEAD = 'id: p\ntools: {allowed: ["*"]}\n';

interface Finding {
  readonly severity: string;
  readonly code: string;
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
  readonly expected: string;
  readonly found: string;
  readonly fix: string;
}

async function findingsOf(policy: string): Promise<readonly Finding[]> {
  const { exitCode, out, error } = await runCaptured(["validate", "-", "-o", "json"], { stdin: policy });
  expect([exitCode <= 1, error]).toEqual([true, ""]);
  const { files } = JSON.parse(out) as { files: readonly { readonly diagnostics: readonly Finding[] }[] };
  return files[0]?.diagnostics ?? [];
}

function blockOf(module: string): string {
  return `${HEAD}rego: |\n${module.replaceAll(/^/gm, "  ")}\n`;
}

// proves REGO-06
it.each(WRONG)(
  "a module with %s is refused at its place, with a fix",
  async (...[, module, place, found, fix]) => {
    const policy = blockOf(module);
    const [first] = await findingsOf(policy);
    if (first === undefined) throw new Error("nothing was found");
    const { line, column, code, excerpt, expected } = first;
    expect([`${String(line)}:${String(column)} ${code}`, first.found]).toEqual([place, found]);
    expect(first.fix).toMatch(fix);
    expect([excerpt, expected !== ""]).toEqual([policy.split("\n")[line - 1], true]);
  },
);

it.each([
  ["rego: |\n\tpackage p\n", "3:1 policy/syntax", /replace the tab with spaces/],
  [`rego: |\n    package p\n  deny contains "no" ${X}\n`, "4:1 policy/syntax", /as much as its first line/],
  [`rego: |\npackage p\ndeny contains "no" ${X}\n`, "3:1 policy/syntax", /indent the lines/],
  ["rego: ./policy.rego\n", "2:8 rego/syntax", /Write `rego: \|`/],
  [
    `rego: >\n  package p\n  deny contains "no" ${X}\n  # and\n  deny contains "y" ${X}\n`,
    "5:3 rego/joined-lines",
    /begins with \|/,
  ],
])("a module that YAML reads otherwise is refused: %j", async (rego, place, fix) => {
  const [first] = await findingsOf(`id: p\n${rego}`);
  expect(first).toMatchObject({ fix: expect.stringMatching(fix) });
  expect(`${String(first?.line)}:${String(first?.column)} ${first?.code ?? ""}`).toBe(place);
});

it.each([
  ["the imports of older Rego", `package p\nimport rego.v1\nimport future.keywords\ndeny contains "no" ${X}`],
  [
    "helpers, tabs and data of its own package",
    `package a.b\n\nhelp if {\n\t${X.slice(3)}\n}\n\ndeny contains "no" if data.a.b.help`,
  ],
])("nothing is said about %s", async (_, module) => {
  expect(await findingsOf(blockOf(module))).toEqual([]);
});

it("proposes a rule of a name that the module does not use", async () => {
  const module = 'package p\ndeny contains "no" if not good(input.args.k)\ngood(x) if x == 1';
  const [found] = await findingsOf(blockOf(module));
  expect(found?.fix).toBe("Write a rule `good_2 if good(input.args.k)`, and `not good_2` here.");
  const followed =
    'package p\ndeny contains "no" if not good_2\ngood_2 if good(input.args.k)\ngood(x) if x == 1';
  expect(await findingsOf(blockOf(followed))).toEqual([]);
});

it.each([
  [
    "a variable of its rule",
    "some w in input.args.l\n  not startswith(input.args.k, w)",
    "Write a rule that says",
  ],
  ["a rule of the module", "not input.args.k in prefixes", "Write a rule `good if input.args.k in prefixes`"],
  ["an import", "not input.args.k in known", "Write a rule `good if input.args.k in known`"],
  ["more than is shown", `not startswith(input.args.k, "${"x".repeat(80)}")`, "Write a rule that says"],
  ["a set", 'not input.args.k in {"a"}', "Write a rule that says"],
])("proposes only a rule that compiles, for a condition with %s", async (_, condition, fix) => {
  const head = 'package p\n\nimport data.known\n\nprefixes := ["/srv"]';
  const rule = `deny contains "no" if {\n  ${condition}\n  known != prefixes\n}`;
  const module = `${head}\n\n${rule}`.replaceAll(/^/gm, "    ");
  const rego = `rego:\n  data: {known: [a]}\n  module: |\n${module}\n`;
  const [found] = await findingsOf(HEAD + rego);
  expect(found?.fix).toContain(fix);
});

it("warns of the syntax before Rego v1, and shows the form of v1", async () => {
  const module = 'package p\ndeny[msg] {\n  input.tool == "x"\n  msg := "no"\n}';
  expect(await findingsOf(blockOf(module))).toMatchObject([
    { severity: "warning", code: "rego/old-syntax", line: 5, fix: "Write `deny contains msg if {`." },
  ]);
});

it.each([
  ["not input.args.to in data.known", "rego/not-of-input"],
  ['not startswith(input.args.path, "/srv/")', "rego/not-of-input"],
  ["not input.args.amount <= 10", "rego/not-of-input"],
  ["not input.args.confirmed", null],
  ['not input.args.kind == "x"', null],
  ["not input.tool in data.known", null],
  ["not known", null],
])("says whether %s is undefined when the argument is missing", async (condition, code) => {
  const known = "known if {\n  not input.args.a in data.known\n}";
  const module = `package p\n\ndeny contains "no" if {\n  ${condition} # not input.args.x > 1\n}\n\n${known}`;
  const rego = `rego:\n  data: {known: [a]}\n  module: |\n${module.replaceAll(/^/gm, "    ")}\n`;
  const wanted = code === null ? [] : [{ severity: "warning", code, line: 9, column: 7, found: condition }];
  const found = await findingsOf(HEAD + rego);
  expect(found).toMatchObject(wanted);
  expect(found).toHaveLength(wanted.length);
});

it("takes a module with data and a workflow", async () => {
  const module = `package p\nrequire_approval contains "ask" if input.args.to in data.known\n`;
  const rego = { module, data: { known: ["a"] }, workflow: "finance" };
  expect(await findingsOf(`${HEAD}rego: ${JSON.stringify(rego)}\n`)).toEqual([]);
});
