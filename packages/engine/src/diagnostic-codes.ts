/** Codes of findings that a call shows, each described in docs/FINDINGS.md. */
export const FINDING_CODES = {
  "policy/open-despite-allow": "warning",
  "policy/allow-without-effect": "warning",
  "policy/allow-hides-restriction": "warning",
  "policy/control-character": "error",
  "policy/doubled-backslash": "warning",
  "policy/blank-at-end": "warning",
  "policy/value-names-field": "warning",
  "policy/glob-in-value": "warning",
  "policy/always-matches": "warning",
  "policy/never-matches": "warning",
  "policy/dotted-name": "warning",
  "policy/inverted-zone": "warning",
  "policy/list-length": "warning",
  "policy/allow-by-runs": "warning",
  "policy/url-as-text": "warning",
  "policy/command-as-text": "warning",
  "policy/sql-as-text": "warning",
  "policy/address-as-ending": "warning",
  "policy/addresses-in-one": "warning",
  "policy/hosts-of-anyone": "warning",
  "policy/path-as-text": "warning",
  "policy/claimed-by-model": "warning",
  "policy/empty-counts-as-given": "warning",
  "policy/namespace-of-agent": "warning",
  "policy/when-missing-without-effect": "warning",
  "policy/missing-passes": "warning",
  "policy/every-tool-judged": "warning",
  "policy/one-argument-only": "warning",
  "policy/unanchored-allow": "warning",
  "policy/dot-and-newline": "warning",
  "policy/other-spelling": "warning",
  "policy/denied-tool-spelling": "warning",
} as const satisfies Record<string, "error" | "warning">;

export type FindingCode = keyof typeof FINDING_CODES;

/** Codes of what Open Policy Agent finds in the module of a policy, each described in docs/POLICY.md. */
export const MODULE_CODES = {
  "rego/syntax": "error",
  "rego/type": "error",
  "rego/compile": "error",
  "rego/forbidden-builtin": "error",
  "rego/no-rule": "error",
  "rego/rule-shape": "error",
  "rego/too-large": "error",
  "rego/no-workflow": "error",
  "rego/unknown-data": "error",
  "rego/joined-lines": "error",
  "rego/hidden-line-end": "error",
  "rego/not-of-input": "warning",
  "rego/old-syntax": "warning",
} as const satisfies Record<string, "error" | "warning">;

export type ModuleCode = keyof typeof MODULE_CODES;

/** Codes of what is found in guardrails alone, each described in docs/POLICY.md. */
export const GUARDRAIL_CODES = {
  "guardrail/sample-differs": "error",
  "guardrail/duplicate-detector": "error",
  "guardrail/untried-pattern": "warning",
  "guardrail/finds-ordinary-text": "warning",
} as const satisfies Record<string, "error" | "warning">;

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
  "policy/list-cycle": "error",
  // The policy is valid and probably not what was meant.
  "policy/duplicate-glob": "warning",
  "policy/allowed-and-denied": "warning",
  "policy/rule-on-denied-tool": "warning",
  "policy/rule-never-allowed": "warning",
  "policy/shadowed-rule": "warning",
  "policy/equal-priority": "warning",
  "policy/open-by-default": "warning",
  ...FINDING_CODES,
  ...MODULE_CODES,
  ...GUARDRAIL_CODES,
} as const satisfies Record<string, "error" | "warning">;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;
