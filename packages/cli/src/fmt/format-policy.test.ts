import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readExamined } from "@svc/policy-analysis/read-examined";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPolicy } from "./format-policy.ts";

const yaml = (source: string): string =>
  formatPolicy({ name: "p.yaml", source, mediaType: "application/yaml" });

const ROOT = join(import.meta.dirname, "../../../..");

describe("formatPolicy", () => {
  // proves CLI-22
  it.each(["p.yaml", "p.json"])("keeps the line ends of %s", (name) => {
    const source =
      name === "p.json"
        ? '{"tools": {"allowed": ["pay"]},\n "id": "p"}\n'
        : "# the policy\n\ntools:   {allowed: [pay]} # all\nid: p\ndescription: |\n  one\n\n  two\n";
    const mediaType = name === "p.json" ? "application/json" : "application/yaml";
    const formatted = (text: string): string => formatPolicy({ name, source: text, mediaType });
    const plain = formatted(source);
    expect(plain).not.toContain("\r");
    expect(formatted(source.replaceAll("\n", "\r\n"))).toBe(plain.replaceAll("\n", "\r\n"));
    expect(formatted(source.replace("\n", "\r\n"))).toBe(plain);
  });

  // proves CLI-22
  it("orders keys with their comments, and keeps the order of rules and lists", () => {
    const source = `# yaml-language-server: $schema=policy.schema.json
# The rules.
rules:
    # Large payments wait.
    - action: require_approval   # people
      match:
          condition: {value: 500, operator: ">", field: args.amount}
          tool: pay
      # its name
      id: z
    - {id: a, match: {tool: x}, action: deny}
tools: {denied: [b, a], allowed: [pay]}

# the policy
id: p
`;
    expect(yaml(source)).toBe(`# yaml-language-server: $schema=policy.schema.json

# the policy
id: p
tools: { allowed: [ pay ], denied: [ b, a ] }
# The rules.
rules:
  # Large payments wait.
  # its name
  - id: z
    match:
      tool: pay
      condition: { field: args.amount, operator: ">", value: 500 }
    action: require_approval # people
  - { id: a, match: { tool: x }, action: deny }
`);
  });

  // proves CLI-22
  it("gives what is too wide lines of its own", () => {
    const words = Array.from({ length: 30 }, (_, at) => `tool_${String(at)}.*`);
    const text = yaml(`id: p\ntools: {allowed: [${words.join(", ")}]}\n`);
    expect(text.split("\n").slice(0, 4)).toEqual(["id: p", "tools:", "  allowed:", "    - tool_0.*"]);
  });

  it("does not break a long text", () => {
    const long = "word ".repeat(60).trim();
    expect(yaml(`id: p\nname: "${long}"\n`)).toBe(`id: p\nname: "${long}"\n`);
  });

  it("formats JSON as JSON", () => {
    const source = '{"tools": {"allowed": ["a"]}, "id": "p"}';
    expect(formatPolicy({ name: "p.json", source, mediaType: "application/json" })).toBe(
      '{\n  "id": "p",\n  "tools": {\n    "allowed": [\n      "a"\n    ]\n  }\n}\n',
    );
  });

  it.each(["id: [", "a: 1\na: 2\n", "id: p\n---\nid: q\n"])("refuses %j", (source) => {
    expect(() => yaml(source)).toThrow("p.yaml: ");
  });

  const policies = globSync("policies/*.yaml", { cwd: ROOT });

  // proves CLI-22
  it.each(policies)("keeps the meaning of %s, and formats it once", (path) => {
    const source = readFileSync(join(ROOT, path), "utf8");
    const text = yaml(source);
    expect(yaml(text)).toBe(text);
    const [before, after] = [source, text].map((one) => readExamined(one));
    expect(after?.ok === true && after.value).toEqual(before?.ok === true && before.value);
  });

  /** The last comment moves when the lines above it are in their form. */
  const AT_THE_END = [50, 0, 51, 0, 51].map((line, at) => ({
    line,
    isOwn: at < 4,
    indent: at === 2 ? 5 : 0,
  }));
  const demo = readFileSync(join(ROOT, "policies/demo.yaml"), "utf8").split("\n");

  // proves CLI-22
  it("keeps a comment and the value wherever a comment stands", () => {
    const comments = fc.array(
      fc.record({ line: fc.nat(demo.length), isOwn: fc.boolean(), indent: fc.nat(8) }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(comments, (places) => {
        const lines = [...demo];
        for (const { line, isOwn, indent } of places) {
          if (isOwn) lines.splice(line, 0, `${" ".repeat(indent)}# new`);
          else if (lines[line] !== undefined && lines[line] !== "") lines[line] += " # after";
        }
        const text = yaml(lines.join("\n"));
        expect(yaml(text)).toBe(text);
      }),
      { numRuns: runs(60, 600), examples: [[AT_THE_END]] },
    );
  });
});
