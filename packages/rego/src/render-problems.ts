import { compileProblem } from "./compile-problem.ts";
import type { ReactorProblem, ReactorReply } from "./reactor-reply.ts";
import { MAX_PROBLEMS } from "./rego-limits.ts";
import type { ProblemText, RegoCheck, RegoProblem, RegoRule } from "./rego-module.ts";
import { noRuleProblem, shapeProblem, V1_FORM } from "./rule-problem.ts";
import { syntaxProblem } from "./syntax-problem.ts";
import { typeProblem } from "./type-problem.ts";

/** Longest text of OPA that is shown, in UTF-16 units. */
const MAX_SHOWN = 300;

/** What the program said about the module of this text, as people read it. */
export function renderCheck(reply: ReactorReply, text: string): RegoCheck {
  if (reply.error !== undefined) return uncheckedBecause("the module could not be read");
  const problems = firstOfEachRow(reply.problems ?? [])
    .slice(0, MAX_PROBLEMS)
    .map((problem) => renderProblem(problem, text));
  if (reply.old_syntax_row !== undefined) {
    // OPA rewrites a rule of the wrong shape into another rule of the wrong shape.
    const newSyntax = problems.length === 0 ? (reply.new_syntax ?? "") : "";
    problems.push(oldSyntax(reply.old_syntax_row, newSyntax));
  }
  problems.sort((a, b) => a.row - b.row || a.column - b.column);
  return { problems, rules: (reply.rules ?? []).filter(isRule) };
}

/** What follows an error of the syntax in its line mostly follows from it. */
function firstOfEachRow(problems: readonly ReactorProblem[]): readonly ReactorProblem[] {
  const rows = new Set<number>();
  return problems.filter(({ code, row }) => {
    if (code !== PARSE_ERROR) return true;
    const isFirst = !rows.has(row);
    rows.add(row);
    return isFirst;
  });
}

const PARSE_ERROR = "rego_parse_error";

export function isRule(name: string): name is RegoRule {
  return name === "deny" || name === "require_approval";
}

export function uncheckedBecause(found: string, fix = "Try again."): RegoCheck {
  const problem: RegoProblem = {
    severity: "error",
    row: 1,
    column: 1,
    code: "rego/unchecked",
    message: "The module could not be checked, so it can not be used.",
    expected: "a module that OPA compiles in five seconds",
    found,
    fix,
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

function renderProblem({ code, message, row, column, details }: ReactorProblem, text: string): RegoProblem {
  if (code === "no_rule") return { severity: "error", column: 1, ...noRuleProblem(text) };
  return { severity: "error", row, column, ...textOf(code, cut(message), { details, text, row, column }) };
}

interface Found extends Pick<ReactorProblem, "details" | "row" | "column"> {
  readonly text: string;
}

/** @param code OPA's, or one of packages/rego/reactor/shape.go */
function textOf(code: string, said: string, { details, text, row, column }: Found): ProblemText {
  switch (code) {
    case "rule_shape":
      return shapeProblem(said);
    case "rego_type_error":
      return typeProblem(said, details);
    case PARSE_ERROR:
      return syntaxProblem(text, said, row, column);
    default:
      return compileProblem(said);
  }
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
