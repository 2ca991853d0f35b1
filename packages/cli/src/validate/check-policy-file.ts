import { checkDocument } from "@svc/engine/check-document";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { jsonFaultDiagnostic } from "@svc/engine/json-fault-diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import { readPolicy } from "@svc/engine/read-policy";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";

/** What is said about one policy file, with secrets masked: what is printed ends up in logs of builds. */
export interface CheckedFile {
  readonly file: string;
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Judges a policy file as a server does that loads it. */
export function checkPolicyFile({ name, source, mediaType }: PolicyFile): CheckedFile {
  const check = checkDocument({ source, mediaType }, (text) =>
    readPolicy(text, { file: name, withConflicts: true }),
  );
  switch (check.kind) {
    case "valid":
      return { file: name, valid: true, diagnostics: check.warnings.map(maskFinding) };
    case "invalid":
      return { file: name, valid: false, diagnostics: check.diagnostics.map(maskFinding) };
    case "not_json": {
      const fault = maskFinding(jsonFaultDiagnostic(name, source, check.fault));
      return { file: name, valid: false, diagnostics: [fault] };
    }
  }
}
