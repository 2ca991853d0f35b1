import type { RegoModule, RegoProblem } from "./rego-module.ts";

/** What holds no reference: comments, and texts in quotes or backticks. */
const NO_CODE = /#[^\n]*|"(?:[^"\\\n]|\\.)*"|`[^`]*`/g;

const REFERENCE = /(?<![\w.])data\.(\w+)/g;

/**
 * References to data that the policy does not give. Such a reference is undefined in every call, so a rule
 * that denies by it never denies.
 */
export function unknownData({ text, data }: RegoModule): readonly RegoProblem[] {
  const code = text.replaceAll(NO_CODE, (piece) => piece.replaceAll(/[^\n]/g, " "));
  const own = /^\s*package\s+(\w+)/.exec(code)?.[1];
  const known = [...Object.keys(data ?? {}), ...(own === undefined ? [] : [own])];
  const problems: RegoProblem[] = [];
  const seen = new Set<string>();
  for (const { index, 1: name = "" } of code.matchAll(REFERENCE)) {
    if (known.includes(name) || seen.has(name)) continue;
    seen.add(name);
    problems.push({ ...placeOf(code, index), ...problemOf(name, Object.keys(data ?? {})) });
  }
  return problems;
}

function problemOf(name: string, given: readonly string[]): Omit<RegoProblem, "row" | "column"> {
  return {
    severity: "error",
    code: "rego/unknown-data",
    message: `The policy gives the module no data.${name}, so it is undefined in every call.`,
    expected: given.length === 0 ? "data beside the module" : given.map((one) => `data.${one}`).join(", "),
    found: `data.${name}`,
    fix: `Write rego: as a mapping, with module: and, under data:, ${name}:, or correct the name.`,
  };
}

function placeOf(text: string, index: number): { readonly row: number; readonly column: number } {
  const before = text.slice(0, index).split("\n");
  return { row: before.length, column: (before.at(-1) ?? "").length + 1 };
}
