import type { Diagnostic } from "@svc/engine/diagnostic";
import { jsonFaultDiagnostic } from "@svc/engine/json-fault-diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import { checkDocument, type PolicySummary } from "@svc/policy-analysis/check-document";
import { readExamined } from "@svc/policy-analysis/read-examined";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";

/** What is said about one policy file, with secrets masked: what is printed ends up in logs of builds. */
export interface CheckedFile {
  readonly file: string;
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is said about a policy file, and the policy that it holds; null: a server would refuse it. */
export interface JudgedFile {
  readonly checked: CheckedFile;
  readonly policy: PolicySummary | null;
}

export function checkPolicyFile(file: PolicyFile): CheckedFile {
  return judgePolicyFile(file).checked;
}

/** Judges a policy file as a server does that loads it. */
export function judgePolicyFile({ name, source, mediaType }: PolicyFile): JudgedFile {
  const check = checkDocument({ source, mediaType }, (text) => readExamined(text, { file: name }));
  const judged = (found: readonly Diagnostic[], policy: PolicySummary | null): JudgedFile => ({
    checked: { file: name, valid: policy !== null, diagnostics: found.map(maskFinding) },
    policy,
  });
  switch (check.kind) {
    case "valid":
      return judged(check.warnings, check.policy);
    case "invalid":
      return judged(check.diagnostics, null);
    case "not_json":
      return judged([jsonFaultDiagnostic(name, source, check.fault)], null);
  }
}
