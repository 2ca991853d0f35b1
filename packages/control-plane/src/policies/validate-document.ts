import type { Principal } from "@svc/contract/principal";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import type { JsonFault } from "@svc/text/strict-json";
import type { Outcome } from "../refusal.ts";
import { checkDocument, type DocumentText, type ReadingPorts } from "./read-document.ts";

export interface CheckedDocument {
  readonly valid: boolean;
  /** Errors and warnings, in the order of the document. Secrets are masked. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Says everything that can be said about a document. Stores nothing, and compares it with nothing stored. */
export async function validateDocument(
  ports: ReadingPorts,
  { org }: Pick<Principal, "org">,
  text: DocumentText,
): Promise<Outcome<CheckedDocument>> {
  const checked = await checkDocument(ports, org, text);
  if (checked.kind === "problem") return checked;
  const check = checked.value;
  switch (check.kind) {
    case "valid":
      return { kind: "ok", value: { valid: true, diagnostics: check.warnings.map(maskFinding) } };
    case "invalid":
      return { kind: "ok", value: { valid: false, diagnostics: check.diagnostics.map(maskFinding) } };
    case "not_json":
      return { kind: "ok", value: { valid: false, diagnostics: [notJson(check.fault)] } };
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
