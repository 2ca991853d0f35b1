import type { Diagnostic } from "./diagnostic.ts";
import { maskSecrets } from "./mask-secrets.ts";

/** Findings show lines of the document, which may hold a secret. */
export function maskFinding(finding: Diagnostic): Diagnostic {
  const { related } = finding;
  const members = { ...finding, related: related === null ? null : { ...related } };
  return { ...finding, ...maskSecrets(members, JSON.stringify(members)) };
}
