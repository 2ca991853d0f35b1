import type { Diagnostic } from "./diagnostic.ts";

/**
 * A diagnostic as several lines for a terminal: place and message, the line of source with a mark under the
 * column, what was expected and found, and what to write instead. Without colours; without a line end at
 * its end.
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, severity, code, message, excerpt, expected, found, fix, related, witness } =
    diagnostic;
  const lines = [
    `${file ?? "policy"}:${String(line)}:${String(column)}: ${severity}: ${message} [${code}]`,
    ...excerptLines(line, column, excerpt),
    `  expected: ${expected}`,
    `  found:    ${found}`,
    `  fix:      ${fix}`,
  ];
  if (witness !== null) lines.push(`  example:  the tool ${witness}`);
  if (related !== null) {
    lines.push(`  see also line ${String(related.line)}, column ${String(related.column)}:`);
    lines.push(...excerptLines(related.line, related.column, related.excerpt));
  }
  return lines.map(printable).join("\n");
}

function excerptLines(line: number, column: number, excerpt: string): string[] {
  const number = String(line);
  const pad = " ".repeat(number.length);
  // A tab keeps its width under itself.
  const lead = excerpt.slice(0, column - 1).replace(/[^\t]/g, " ");
  return [`  ${number} | ${excerpt}`, `  ${pad} | ${lead}^`];
}

/** A policy may hold terminal escapes; they must not reach the terminal. */
function printable(line: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return line.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, "\ufffd");
}
