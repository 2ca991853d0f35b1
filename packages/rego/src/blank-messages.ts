import { isSeen } from "@svc/text/unseen";
import { codeOf, placeIn } from "./code-of.ts";
import { MAX_PROBLEMS } from "./rego-limits.ts";
import type { RegoModule, RegoProblem } from "./rego-module.ts";

/** A message that is written out. The code has blanks in place of what it says. */
const WRITTEN_OUT = /^(?:deny|require_approval)\s+contains\s+("[^"]*"|`[^`]*`)/gm;

/** An escape of a text, as in JSON. */
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([nrtbf]))/g;

/** Messages that are blank whenever their rule holds: each call would be denied as `rego_shape`. */
export function blankMessages({ text }: Pick<RegoModule, "text">): readonly RegoProblem[] {
  const problems: RegoProblem[] = [];
  for (const { index, 0: head, 1: literal = "" } of codeOf(text).matchAll(WRITTEN_OUT)) {
    if (problems.length >= MAX_PROBLEMS) break;
    const at = index + head.length - literal.length;
    const written = text.slice(at, at + literal.length);
    if (!isSeen(meaningOf(written))) problems.push({ ...placeIn(text, at), ...PROBLEM, found: written });
  }
  return problems;
}

function meaningOf(literal: string): string {
  const said = literal.slice(1, -1);
  if (literal.startsWith("`")) return said;
  return said.replaceAll(ESCAPE, (_, digits?: string) =>
    digits === undefined ? " " : String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

const PROBLEM = {
  severity: "error",
  code: "rego/rule-shape",
  message: "The message is blank, so a call that the rule is about is denied as a module that failed.",
  expected: "a message that says why",
  fix: "Write the reason into the message.",
} as const;
