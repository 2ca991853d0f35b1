import type { PolicyDocument } from "../policy-document.ts";
import type { Reporter } from "../read/reporter.ts";
import { reportListConflicts } from "./list-conflicts.ts";
import { reportRuleConflicts } from "./rule-conflicts.ts";

/** Finds what is valid and probably not meant: warnings, with both places and a tool name that shows it. */
export function reportConflicts(document: PolicyDocument, reporter: Reporter): void {
  reportListConflicts(document, reporter);
  reportRuleConflicts(document, reporter);
}
