import { codeOf, placeIn } from "./code-of.ts";
import { MAX_PROBLEMS } from "./rego-limits.ts";
import type { RegoModule, RegoProblem } from "./rego-module.ts";

const REFERENCE = /(?<![\w.])data\.(\w+)/g;

/**
 * References to data that the policy does not give. Such a reference is undefined in every call, so a rule
 * that denies by it never denies.
 */
export function unknownData({ text, data }: RegoModule): readonly RegoProblem[] {
  const code = codeOf(text);
  const own = /^\s*package\s+(\w+)/.exec(code)?.[1];
  const known = [...Object.keys(data ?? {}), ...(own === undefined ? [] : [own])];
  const problems: RegoProblem[] = [];
  const seen = new Set<string>();
  for (const { index, 1: name = "" } of code.matchAll(REFERENCE)) {
    if (problems.length >= MAX_PROBLEMS) break;
    if (known.includes(name) || seen.has(name)) continue;
    seen.add(name);
    problems.push({ ...placeIn(text, index), ...problemOf(name, Object.keys(data ?? {})) });
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
