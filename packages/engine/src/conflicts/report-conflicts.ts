import type { PolicyDocument } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import { GlobPairs } from "./glob-pairs.ts";
import { reportListConflicts } from "./list-conflicts.ts";
import { reportRuleConflicts } from "./rule-conflicts.ts";

/** Finds what is valid and probably not meant: warnings, each with both places and a tool name that shows it. */
export function reportConflicts(document: PolicyDocument, reporter: Reporter): void {
  const pairs = new GlobPairs();
  reportListConflicts(document, pairs, reporter);
  reportRuleConflicts(document, pairs, reporter);
  const [first] = document.rules;
  if (!pairs.exhausted) return;
  reporter.report("policy/conflicts-unchecked", first?.place ?? { pointer: "", offset: 0 }, {
    message: "the policy has too many overlapping globs to compare all of them",
    expected: "fewer globs that begin with a star",
    found: "more pairs than are compared",
    fix: "begin globs with the fixed part of the name; the policy works as it stands",
  });
}
