import type { PolicyDocument } from "@svc/engine/policy-document";
import { type PolicyReading, type ReadingOptions, readPolicy } from "@svc/engine/read-policy";
import type { Reporter } from "@svc/engine/reporter";
import { resolveLists } from "@svc/engine/resolve-lists";
import type { SourceNode } from "@svc/engine/source-node";
import { reportConflicts } from "./conflicts/report-conflicts.ts";
import { reportFindings } from "./findings/report-findings.ts";
import { Trial } from "./findings/trial.ts";

/**
 * Reads and validates one policy document for its author: its warnings name what is valid and probably
 * means something else.
 */
export function readExamined(source: string, options: Omit<ReadingOptions, "examine"> = {}): PolicyReading {
  return readPolicy(source, { ...options, examine });
}

function examine(document: PolicyDocument, root: SourceNode, reporter: Reporter): void {
  const trial = new Trial(document);
  reportConflicts(document, trial, reporter);
  const resolved = resolveLists(root, reporter);
  if (resolved !== null) reportFindings(document, resolved, trial, reporter);
}
