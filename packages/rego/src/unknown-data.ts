import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { codeOf, placeIn } from "./code-of.ts";
import { MAX_PROBLEMS } from "./rego-limits.ts";
import type { RegoModule, RegoProblem } from "./rego-module.ts";

/** The names that follow `data` with dots; what a bracket names is not known here. */
const REFERENCE = /(?<![\w.])data((?:\.\w+)+)/g;

/**
 * References to data that the policy does not give. Such a reference is undefined in every call, so a rule
 * that denies by it never denies.
 */
export function unknownData({ text, data }: RegoModule): readonly RegoProblem[] {
  const code = codeOf(text);
  const own = /^\s*package\s+(\w+)/.exec(code)?.[1];
  const problems: RegoProblem[] = [];
  const seen = new Set<string>();
  for (const { index, 1: path = "" } of code.matchAll(REFERENCE)) {
    if (problems.length >= MAX_PROBLEMS) break;
    const names = path.slice(1).split(".");
    const missing = names[0] === own ? null : firstMissing(names, data ?? {});
    if (missing === null || seen.has(missing.name)) continue;
    seen.add(missing.name);
    problems.push({ ...placeIn(text, index), ...problemOf(missing) });
  }
  return problems;
}

interface Missing {
  /** Up to the name that is not there, without `data`. */
  readonly name: string;
  /** What is there in its place. */
  readonly given: readonly string[];
}

function firstMissing(names: readonly string[], data: JsonObject): Missing | null {
  let value: JsonValue | undefined = data;
  for (const [at, name] of names.entries()) {
    const members: JsonObject = isJsonObject(value) ? value : {};
    if (!Object.hasOwn(members, name)) {
      const before = names.slice(0, at);
      const given = Object.keys(members).map((one) => [...before, one].join("."));
      return { name: [...before, name].join("."), given };
    }
    value = members[name];
  }
  return null;
}

function problemOf({ name, given }: Missing): Omit<RegoProblem, "row" | "column"> {
  const lastName = name.slice(name.lastIndexOf(".") + 1);
  const owner = name === lastName ? "data:" : `data.${name.slice(0, -lastName.length - 1)}`;
  return {
    severity: "error",
    code: "rego/unknown-data",
    message: `The policy gives the module no data.${name}, so it is undefined in every call.`,
    expected: given.length === 0 ? "data beside the module" : given.map((one) => `data.${one}`).join(", "),
    found: `data.${name}`,
    fix: `Write rego: as a mapping, with module: and, under ${owner}, ${lastName}:, or correct the name.`,
  };
}
