/**
 * Every code that a diagnostic can carry: closed list, stable, each described in docs/POLICY.md.
 * Errors refuse the document; warnings accompany an accepted one.
 */
export const DIAGNOSTIC_CODES = {
  // The text is not one plain YAML (or JSON) document.
  "policy/too-large": "error",
  "policy/syntax": "error",
  "policy/empty-document": "error",
  "policy/multiple-documents": "error",
  "policy/directive": "error",
  "policy/tag": "error",
  "policy/alias": "error",
  "policy/too-deep": "error",
  "policy/duplicate-key": "error",
  "policy/invalid-key": "error",
  // The document is not a policy.
  "policy/unknown-key": "error",
  "policy/rego-unavailable": "error",
  "policy/missing-key": "error",
  "policy/wrong-type": "error",
  "policy/empty": "error",
  "policy/too-many": "error",
  "policy/invalid-identifier": "error",
  "policy/invalid-text": "error",
  "policy/invalid-glob": "error",
  "policy/invalid-number": "error",
  "policy/unknown-name": "error",
  "policy/invalid-field": "error",
  "policy/invalid-value": "error",
  "policy/invalid-regex": "error",
  "policy/invalid-path": "error",
  "policy/conflicting-keys": "error",
  "policy/overlapping-fields": "error",
  "policy/duplicate-id": "error",
  // The policy is valid and probably not what was meant.
  "policy/duplicate-glob": "warning",
  "policy/allowed-and-denied": "warning",
  "policy/rule-on-denied-tool": "warning",
  "policy/rule-never-allowed": "warning",
  "policy/shadowed-rule": "warning",
  "policy/equal-priority": "warning",
  "policy/open-by-default": "warning",
} as const satisfies Record<string, "error" | "warning">;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;
