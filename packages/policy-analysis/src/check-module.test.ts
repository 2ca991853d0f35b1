import type { ModuleCheck, ModuleProblem } from "@svc/engine/evaluator-factory";
import { describe, expect, it } from "vitest";
import { checkDocument } from "./check-document.ts";
import { checkModule, ModuleUnchecked, moduleOf } from "./check-module.ts";
import { readExamined } from "./read-examined.ts";

const SAID = { message: "m", expected: "e", found: "f", fix: "x" };
const AT = { ...SAID, code: "rego/type", row: 2, column: 7 } as const;

async function checked(source: string, answer: Partial<ModuleCheck> = {}) {
  const reading = readExamined(source, { modules: "read" });
  const module = moduleOf(reading);
  if (module === null) throw new Error("the document has a module");
  const check = checkDocument({ source, mediaType: "application/yaml" }, () => reading);
  const runtime = { check: async () => ({ problems: [], rules: ["deny"], ...answer }) };
  return checkModule(check, { module, source, file: "p.yaml" }, runtime);
}

function places(check: Awaited<ReturnType<typeof checked>>): readonly string[] {
  if (check.kind === "not_json") throw new Error("the document is YAML");
  const found = check.kind === "valid" ? check.warnings : check.diagnostics;
  return [check.kind, ...found.map(({ line, column, code }) => `${String(line)}:${String(column)} ${code}`)];
}

const HEAD = "id: p\ntools: {allowed: [a.b]}\n";
const TEXT = "package p\n\u{1f600}\u00fc = 1x\n";
const BLOCK = `rego: |\n${indented("  ")}`;

function indented(indent: string): string {
  return TEXT.replaceAll(/^(?=.)/gm, indent);
}

describe("the check of a module", () => {
  it.each([
    ["a literal block", HEAD + BLOCK, "5:9"],
    ["a block with the line ends of Windows", (HEAD + BLOCK).replaceAll("\n", "\r\n"), "5:9"],
    ["a text in one line", `${HEAD}rego: ${JSON.stringify(TEXT)}\n`, "3:25"],
    ["a mapping", `${HEAD}rego:\n  module: |-\n    ${indented("    ").trimStart()}`, "6:11"],
  ])("shows a problem at its place in %s", async (_, source, place) => {
    const column = 6;
    const check = await checked(source, { problems: [{ ...AT, column }] });
    expect(places(check)).toEqual(["invalid", `${place} rego/type`]);
    if (check.kind !== "invalid") return;
    const [only] = check.diagnostics;
    expect(only).toMatchObject({ ...SAID, file: "p.yaml", severity: "error" });
    expect(only?.excerpt.slice(only.column - 1)).toMatch(/^1x/);
  });

  it("stands among the findings about the rest of the document", async () => {
    const source = `id: p\nsesion: {}\n${BLOCK}`;
    const problems = [AT];
    expect(places(await checked(source, { problems }))).toEqual([
      "invalid",
      "2:1 policy/unknown-key",
      expect.stringMatching(/^5:\d+ rego\/type$/),
    ]);
  });

  it("keeps a document valid that has a warning only", async () => {
    const old: ModuleProblem = { ...AT, code: "rego/old-syntax", row: 1, column: 1 };
    const check = await checked(`${HEAD}rego: "package p"\n`, { problems: [old] });
    expect(places(check)).toEqual(["valid", "3:8 rego/old-syntax"]);
    expect(check).toMatchObject({ policy: { id: "p" }, document: { rego: "package p" } });
  });

  it("refuses approvals without a workflow", async () => {
    const rules = ["deny", "require_approval"];
    const text = "package p; require_approval contains 1";
    expect(places(await checked(`${HEAD}rego: ${text}\n`, { rules }))).toEqual([
      "invalid",
      "3:18 rego/no-workflow",
    ]);
    const named = `${HEAD}rego: {module: ${text}, workflow: finance}\n`;
    expect(places(await checked(named, { rules }))).toEqual(["valid"]);
  });

  it("says nothing about a module that was not checked", async () => {
    const late: ModuleProblem = { ...AT, code: "rego/unchecked", found: "no thread was free" };
    await expect(checked(`${HEAD}rego: package p\n`, { problems: [late] })).rejects.toThrow(ModuleUnchecked);
    await expect(checked(`${HEAD}rego: package p\n`, { problems: [AT, late] })).rejects.toThrow(
      "no thread was free",
    );
  });
});
