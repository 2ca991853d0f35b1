import type { Diagnostic } from "@svc/engine/diagnostic";
import { jsonFaultDiagnostic } from "@svc/engine/json-fault-diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import type { PolicySummary } from "@svc/policy-analysis/check-document";
import { readExamined } from "@svc/policy-analysis/read-examined";
import { checkWithModule } from "../policy-files/check-with-module.ts";
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

export async function checkPolicyFile(file: PolicyFile): Promise<CheckedFile> {
  return (await judgePolicyFile(file)).checked;
}

/** Judges a policy file as a server does that loads it. Rejects as `checkWithModule` does. */
export async function judgePolicyFile(file: PolicyFile): Promise<JudgedFile> {
  const { name, source } = file;
  const { check } = await checkWithModule(file, (text) =>
    readExamined(text, { file: name, modules: "read" }),
  );
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
