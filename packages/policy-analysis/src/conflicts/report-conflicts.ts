import type { PolicyDocument } from "@svc/engine/policy-document";
import type { Reporter } from "@svc/engine/reporter";
import type { Trial } from "../findings/trial.ts";
import { reportListConflicts } from "./list-conflicts.ts";
import { reportRuleConflicts } from "./rule-conflicts.ts";

/** Finds what is valid and probably not meant: warnings, with both places and a call that shows it. */
export function reportConflicts(document: PolicyDocument, trial: Trial, reporter: Reporter): void {
  reportListConflicts(document, trial, reporter);
  reportRuleConflicts(document, trial, reporter);
}
