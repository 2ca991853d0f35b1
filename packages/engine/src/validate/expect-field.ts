import { type FieldPath, type FieldPattern, isFieldPath, parseFieldPattern } from "../evaluate/field-path.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectText, refuse } from "./expect.ts";
import { describePathFault, NAME_EACH_FIELD } from "./path-fault.ts";

export const PATH_EXPECTATION = "args.<name>, with further names or places in lists after dots";
const PATTERN_EXPECTATION = `${PATH_EXPECTATION}; * is one member or element, ** any depth`;

/** One argument: a path without wildcards. */
export function expectFieldPath(node: SourceNode, reporter: Reporter): FieldPath | null {
  const pattern = expectPattern(node, false, reporter);
  if (pattern === null || isFieldPath(pattern)) return pattern;
  return refuse("policy/invalid-field", node, reporter, {
    message: `${quoteShort(pattern.text)} has a wildcard, and this needs one field`,
    expected: PATH_EXPECTATION,
    fix: NAME_EACH_FIELD,
  });
}

/** Arguments that a rule hides or removes: a path, with or without wildcards. */
export function expectFieldPattern(node: SourceNode, reporter: Reporter): FieldPattern | null {
  return expectPattern(node, true, reporter);
}

function expectPattern(node: SourceNode, wildcards: boolean, reporter: Reporter): FieldPattern | null {
  const text = expectText(node, "an argument of the call", reporter);
  const pattern = text === null ? null : parseFieldPattern(text);
  if (text === null || pattern !== null) return pattern;
  return refuse("policy/invalid-field", node, reporter, {
    expected: wildcards ? PATTERN_EXPECTATION : PATH_EXPECTATION,
    ...describePathFault(text, wildcards),
  });
}
