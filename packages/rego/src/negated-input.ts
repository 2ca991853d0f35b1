import { codeOf, placeIn } from "./code-of.ts";
import { MAX_PROBLEMS } from "./rego-limits.ts";
import type { RegoModule, RegoProblem } from "./rego-module.ts";

/** The rules that a policy asks for, each to the next line that begins with something else. */
const ASKED_RULE = /^(?:deny|require_approval)\b.*(?:\n(?:[ \t}].*)?)*/gm;

const NEGATION = /\bnot\s+[^\n;{}]*/g;

/** What a call may leave out. */
const OPTIONAL = /\binput\.(?:args|session|session_id)\b/;

/** OPA evaluates the arguments of these before the negation. */
const CALLS = /[<>+*/%&|]|!=|\s-\s|\bin\b|\w\(/;

/** Longest condition that is shown, in UTF-16 units. */
const MAX_SHOWN = 80;

/** A name that is neither a member of something nor called. */
const FREE_NAME = /(?<![\w.])[a-z_]\w*(?!\w|\s*\()/gi;

/** What a name may mean in every rule: what is imported, and what begins a line. */
const DECLARED = /^import\b.*?(\w+)[ \t]*$|^(?:default\s+)?(\w+)/gm;

const WORDS = ["input", "data", "in", "true", "false", "null"];

/**
 * Negations that are undefined when an argument is missing, as in OPA: `not f(input.args.x)` is not true
 * then, so the rule adds nothing.
 */
export function negatedInput({ text }: Pick<RegoModule, "text">): readonly RegoProblem[] {
  const problems: RegoProblem[] = [];
  const code = codeOf(text);
  const helper = freeName(code);
  const known = new Set([...code.matchAll(DECLARED)].flatMap((found) => found.slice(1)).concat(WORDS));
  for (const rule of code.matchAll(ASKED_RULE)) {
    for (const { index, 0: negation } of rule[0].matchAll(NEGATION)) {
      if (problems.length >= MAX_PROBLEMS) return problems;
      if (!OPTIONAL.test(negation) || !CALLS.test(negation)) continue;
      const at = rule.index + index;
      const written = text.slice(at, at + negation.trimEnd().length);
      const names = negation.replace(/^not\s+/, "").match(FREE_NAME) ?? [];
      const isWhole = written.length <= MAX_SHOWN && code[at + negation.length] !== "{";
      // A rule of its own knows no variable of this one.
      const canMove = isWhole && names.every((name) => known.has(name));
      const fix = canMove ? helperFix(helper, written) : OTHER_FIX;
      problems.push({ ...placeIn(text, at), ...WARNING, found: written.slice(0, MAX_SHOWN), fix });
    }
  }
  return problems;
}

/** A name for the proposed rule that the module does not use. */
function freeName(code: string): string {
  const used = new Set(code.match(/\w+/g));
  let name = "good";
  for (let count = 2; used.has(name); count++) name = `good_${String(count)}`;
  return name;
}

function helperFix(helper: string, written: string): string {
  return `Write a rule \`${helper} if ${written.replace(/^not\s+/, "")}\`, and \`not ${helper}\` here.`;
}

const OTHER_FIX = "Write a rule that says what a good call is, and `not` with the name of that rule here.";

const WARNING = {
  severity: "warning",
  code: "rego/not-of-input",
  message: "This is undefined when the call leaves the argument out, and the rule then adds nothing.",
  expected: "`not` before the name of a rule that says what a good call is",
} as const;
