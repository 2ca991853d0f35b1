import { faultFields } from "@svc/contract/fault-fields";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import type { JsonFault } from "@svc/text/strict-json";
import type { ControlPlanePorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { type DocumentText, refuseUnchecked } from "./read-document.ts";

export interface CheckedDocument {
  readonly kind: "checked";
  readonly valid: boolean;
  /** Errors and warnings, in the order of the document. Secrets are masked. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Says everything that can be said about a document. Stores nothing, and compares it with nothing stored. */
export async function validateDocument(
  { documents, log }: Pick<ControlPlanePorts, "documents" | "log">,
  text: DocumentText,
): Promise<CheckedDocument | Refusal> {
  try {
    const check = await documents.check(text);
    switch (check.kind) {
      case "valid":
        return { kind: "checked", valid: true, diagnostics: check.warnings.map(maskFinding) };
      case "invalid":
        return { kind: "checked", valid: false, diagnostics: check.diagnostics.map(maskFinding) };
      case "not_json":
        return { kind: "checked", valid: false, diagnostics: [notJson(check.fault)] };
    }
  } catch (error) {
    log.error(faultFields(error), "a policy document could not be checked");
    return refuseUnchecked();
  }
}

function notJson({ kind, expected, found, line, column }: JsonFault): Diagnostic {
  const isLong = kind === "too_large";
  return {
    severity: "error",
    code: isLong ? "policy/too-large" : "policy/syntax",
    pointer: "",
    file: null,
    line,
    column,
    excerpt: "",
    message: isLong ? "the document is too large" : "the document is not strict JSON",
    expected,
    found,
    fix: isLong ? "split the policy" : "correct the JSON, or send YAML with Content-Type: application/yaml",
    related: null,
    witness: null,
  };
}
