import type { Diagnostic } from "@svc/engine/diagnostic";
import { formatDiagnostics } from "./format-diagnostic.ts";

/** Renders findings for a terminal, followed by a line that says what happened to the document. */
export function renderFindings(findings: readonly Diagnostic[], lastLine: string): string {
  return findings.length === 0 ? `${lastLine}\n` : `${formatDiagnostics(findings)}\n\n${lastLine}\n`;
}

/** `2 errors, 1 warning` */
export function countFindings(findings: readonly Diagnostic[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const parts = [counted(errors, "error"), counted(warnings, "warning")].filter((part) => part !== null);
  return parts.length === 0 ? "no findings" : parts.join(", ");
}

function counted(count: number, noun: string): string | null {
  return count === 0 ? null : `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}
