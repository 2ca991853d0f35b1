import { FORBIDDEN_BUILTINS } from "./forbidden-builtins.ts";
import type { ReactorProblem, ReactorReply } from "./reactor-reply.ts";
import type { RegoCheck, RegoProblem, RegoRule } from "./rego-module.ts";

/** Most problems of one check, as count. */
const MAX_PROBLEMS = 20;

/** Longest text of OPA that is shown, in UTF-16 units. */
const MAX_SHOWN = 300;

const V1_FORM = "deny contains message if { ... }";

const UNDEFINED_FUNCTION = /^undefined function (\S+)$/;

/** What the program said about a module, as people read it. */
export function renderCheck(reply: ReactorReply): RegoCheck {
  if (reply.error !== undefined) return uncheckedBecause("the module could not be read");
  const problems = (reply.problems ?? []).slice(0, MAX_PROBLEMS).map(renderProblem);
  if (reply.old_syntax_row !== undefined)
    problems.push(oldSyntax(reply.old_syntax_row, reply.new_syntax ?? ""));
  problems.sort((a, b) => a.row - b.row || a.column - b.column);
  return { problems, rules: (reply.rules ?? []).filter(isRule) };
}

export function isRule(name: string): name is RegoRule {
  return name === "deny" || name === "require_approval";
}

export function uncheckedBecause(found: string): RegoCheck {
  const problem: RegoProblem = {
    severity: "error",
    row: 1,
    column: 1,
    code: "rego/unchecked",
    message: "The module could not be checked, so it can not be used.",
    expected: "a module that OPA compiles in five seconds",
    found,
    fix: "Make the module smaller, or try again when the host is less busy.",
  };
  return { problems: [problem], rules: [] };
}

export function tooLarge(what: "module" | "data", length: number, most: number): RegoCheck {
  const problem: RegoProblem = {
    severity: "error",
    row: 1,
    column: 1,
    code: "rego/too-large",
    message: what === "module" ? "The module is too large." : "The data of the module is too large.",
    expected: `at most ${String(most)} characters`,
    found: String(length),
    fix: "Leave out what the decision does not need.",
  };
  return { problems: [problem], rules: [] };
}

function renderProblem(problem: ReactorProblem): RegoProblem {
  const place = { severity: "error", row: problem.row, column: problem.column } as const;
  const message = cut(problem.message);
  switch (problem.code) {
    case "no_rule":
      return {
        ...place,
        code: "rego/no-rule",
        message: "The module defines neither `deny` nor `require_approval`, so it would decide nothing.",
        expected: "a rule `deny` or `require_approval`",
        found: "neither",
        fix: `Write \`${V1_FORM}\`.`,
      };
    case "rule_shape":
      return {
        ...place,
        code: "rego/rule-shape",
        message: "`deny` and `require_approval` are sets of messages.",
        expected: V1_FORM,
        found: message,
        fix: `Write \`${V1_FORM}\`, where the message is a string.`,
      };
    case "rego_type_error":
      return { ...place, ...typeProblem(message, problem.details) };
    case "rego_parse_error":
      return {
        ...place,
        code: "rego/syntax",
        message: `The module is not Rego: ${message}.`,
        expected: "Rego v1",
        found: message,
        fix: "Correct the text at this place.",
      };
    default:
      return {
        ...place,
        code: "rego/compile",
        message: `The module does not compile: ${message}.`,
        expected: "a module that OPA compiles in strict mode",
        found: message,
        fix: "Correct the rule at this place.",
      };
  }
}

type Said = Omit<RegoProblem, "severity" | "row" | "column">;

function typeProblem(message: string, details: unknown): Said {
  const name = UNDEFINED_FUNCTION.exec(message)?.[1];
  const instead = name === undefined ? undefined : FORBIDDEN_BUILTINS.get(name);
  if (name !== undefined && instead !== undefined) {
    return {
      code: "rego/forbidden-builtin",
      message: `A module may not call ${name}.`,
      expected: "a function that depends on nothing but its arguments",
      found: name,
      fix: instead,
    };
  }
  const names = wantedNames(details);
  return {
    code: "rego/type",
    message: `OPA's type checker refuses the module: ${message}.`,
    expected: names.length > 0 ? `one of ${names.join(", ")}` : "values of types that fit",
    found: message,
    fix: names.length > 0 ? `Write one of ${names.join(", ")}.` : "Correct the expression at this place.",
  };
}

/** The names that OPA offers for an undefined reference. */
function wantedNames(details: unknown): readonly string[] {
  if (typeof details !== "object" || details === null || !("oneOf" in details)) return [];
  const names = details.oneOf;
  return Array.isArray(names) ? names.filter((name) => typeof name === "string").slice(0, MAX_PROBLEMS) : [];
}

function oldSyntax(row: number, newSyntax: string): RegoProblem {
  const rule = newSyntax.split("\n").find((line) => /^(deny|require_approval)\b/.test(line));
  return {
    severity: "warning",
    row,
    column: 1,
    code: "rego/old-syntax",
    message: "The module is written in the syntax before Rego v1.",
    expected: "Rego v1",
    found: "Rego v0",
    fix: `Write \`${rule === undefined ? V1_FORM : cut(rule)}\`.`,
  };
}

function cut(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}...`;
}
