import { nearestName } from "@svc/text/nearest-name";
import { FORBIDDEN_BUILTINS } from "./forbidden-builtins.ts";
import { forbiddenProblem } from "./forbidden-problem.ts";
import type { ProblemText } from "./rego-module.ts";

/** Most names that are offered, as count. */
const MAX_NAMES = 20;

/** What the input has under the names that people try. */
const MEANT_INPUT: Readonly<Record<string, string>> = {
  action: "tool",
  agent: "agent_id",
  agentId: "agent_id",
  arguments: "args",
  cost: "cost_usd",
  name: "tool",
  now: "time",
  parameters: "args",
  params: "args",
  sessionId: "session_id",
  timestamp: "time",
  tool_input: "args",
  tool_name: "tool",
};

/** Functions of OPA under the names that people try. */
const MEANT_FUNCTIONS: Readonly<Record<string, string>> = {
  ends_with: "endswith(text, ending)",
  endsWith: "endswith(text, ending)",
  format: "sprintf(format, [values])",
  includes: "`x in xs`",
  len: "count(x)",
  length: "count(x)",
  lowercase: "lower(text)",
  match: "regex.match(pattern, text)",
  matches: "regex.match(pattern, text)",
  now: "time.parse_rfc3339_ns(input.time)",
  size: "count(x)",
  starts_with: "startswith(text, beginning)",
  startsWith: "startswith(text, beginning)",
  substr: "substring(text, offset, length)",
  uppercase: "upper(text)",
};

/** What OPA's type checker says of a module. @param details as OPA gives them */
export function typeProblem(said: string, details: unknown): ProblemText {
  const undefinedFunction = /^undefined function (\S+)$/.exec(said)?.[1];
  if (undefinedFunction !== undefined) return functionProblem(undefinedFunction);
  const reference = /^undefined ref: (\S+)$/.exec(said)?.[1];
  if (reference !== undefined) return referenceProblem(reference, details);
  const called = /^(\S+): (?:arity mismatch|invalid argument\(s\))$/.exec(said)?.[1];
  if (called !== undefined) return argumentsProblem(called, details);
  const { a, b } = membersOf(details);
  return {
    code: "rego/type",
    message: `OPA's type checker refuses the module: ${said}.`,
    expected: "values of types that fit",
    found: a === undefined || b === undefined ? said : `${typeName(a)} and ${typeName(b)}`,
    fix: "Compare values of one type: a text in double quotes, a number without.",
  };
}

function functionProblem(name: string): ProblemText {
  const instead = FORBIDDEN_BUILTINS.get(name);
  if (instead !== undefined) return forbiddenProblem(name, instead);
  if (/^data\..*\binternal\./.test(name)) return TAKEN_NAME;
  const meant = Object.hasOwn(MEANT_FUNCTIONS, name) ? MEANT_FUNCTIONS[name] : undefined;
  return {
    code: "rego/type",
    message: `There is no function ${name}.`,
    expected: "a built-in function of OPA, or one that the module defines",
    found: name,
    fix: meant === undefined ? "Correct the name, or define the function." : `Write ${meant}.`,
  };
}

const TAKEN_NAME: ProblemText = {
  code: "rego/type",
  message: "A rule of the module has the name `internal`, which hides functions that OPA needs for `in`.",
  expected: "another name",
  found: "internal",
  fix: "Rename the rule `internal`.",
};

function referenceProblem(reference: string, details: unknown): ProblemText {
  const { ref, pos, oneOf } = membersOf(details);
  const names = Array.isArray(oneOf) ? oneOf.filter(isText).slice(0, MAX_NAMES) : [];
  const [before, wrong] = [reference.slice(0, reference.lastIndexOf(".")), valueAt(ref, pos)];
  const owner = ownerOf(ref, pos) ?? before;
  const message = reference.startsWith("input")
    ? `The input of a module has no ${reference}.`
    : `OPA's type checker refuses the module: nothing is ${reference}.`;
  if (names.length === 0) {
    return {
      code: "rego/type",
      message,
      expected: `${before} alone: it is one value`,
      found: reference,
      fix: `Write ${before}.`,
    };
  }
  const near = MEANT_INPUT[wrong] ?? nearestName(wrong, names);
  const meant = near !== null && names.includes(near) ? near : null;
  const all = names.map((name) => `${owner}.${name}`).join(", ");
  return {
    code: "rego/type",
    message,
    expected: `one of ${all}`,
    found: reference,
    fix: meant === null ? `Write one of ${all}.` : `Did you mean ${owner}.${meant}?`,
  };
}

function argumentsProblem(name: string, details: unknown): ProblemText {
  const { have, want } = membersOf(details);
  const given = Array.isArray(have) ? have.filter((type) => type !== null) : [];
  const { args } = membersOf(want);
  const wanted = (Array.isArray(args) ? args : []).filter((one) => membersOf(one)["name"] !== "result");
  const asWanted = wanted.map((one) => {
    const { name: argument } = membersOf(one);
    return isText(argument) ? `${argument}: ${typeName(one)}` : typeName(one);
  });
  const ofTexts = name === "plus" && given.every((one) => typeName(one) === "string");
  return {
    code: "rego/type",
    message: `The arguments of ${name} do not fit.`,
    expected: `${name}(${asWanted.join(", ")})`,
    found: `${name}(${given.map(typeName).join(", ")})`,
    fix: ofTexts
      ? 'Join texts with concat("", [a, b]), or with sprintf.'
      : `Call ${name} with ${String(asWanted.length)} arguments of these types.`,
  };
}

/** The reference up to the name that is wrong. */
function ownerOf(ref: unknown, pos: unknown): string | null {
  if (!Array.isArray(ref) || typeof pos !== "number") return null;
  return ref
    .slice(0, pos)
    .map((term) => String(membersOf(term)["value"]))
    .join(".");
}

function valueAt(ref: unknown, pos: unknown): string {
  return Array.isArray(ref) && typeof pos === "number" ? String(membersOf(ref[pos])["value"]) : "";
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function typeName(type: unknown): string {
  const name = membersOf(type)["type"];
  return isText(name) ? name : "any";
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
