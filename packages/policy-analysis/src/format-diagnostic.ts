import type { Diagnostic } from "@svc/engine/diagnostic";
import { markOf } from "@svc/engine/excerpt";
import { describeWitness } from "./findings/witness/describe-witness.ts";

/** Most lines of findings that are written in full, as count: one page. */
const PAGE_LINES = 60;

/** Most lines of places that the rest is named by. */
const MOST_PLACES = 10;

/** Longest line of prose in UTF-16 units. Lines of the source stay as they are. */
const WIDTH = 100;

/**
 * Findings as lines for a terminal: as many in full as fit on a page, at least the first, then how many more
 * there are and where. Without colours; without a line end at its end.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const blocks: string[] = [];
  let lines = 0;
  for (const diagnostic of diagnostics) {
    const block = formatDiagnostic(diagnostic);
    lines += block.split("\n").length + 1;
    if (blocks.length > 0 && lines > PAGE_LINES) break;
    blocks.push(block);
  }
  const rest = diagnostics.slice(blocks.length);
  return rest.length === 0 ? blocks.join("\n\n") : [...blocks, describeRest(rest)].join("\n\n");
}

/**
 * A diagnostic as several lines for a terminal: place and message, the line of source with a mark under the
 * column, what was expected and found, and what to write instead, then the second place of a conflict.
 * Without colours; without a line end at its end.
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, severity, code, message, excerpt, expected, found, fix, related, witness } =
    diagnostic;
  const lines = [
    ...folded(`${placeOf(file, line, column)}: ${severity}: ${message} [${code}]`, "  "),
    ...excerptLines(line, column, excerpt),
    ...folded(`  expected: ${expected}`, HANGING),
    ...folded(`  found:    ${found}`, HANGING),
    ...folded(`  fix:      ${fix}`, HANGING),
  ];
  if (witness !== null) lines.push(...folded(`  witness:  ${describeWitness(witness)}`, HANGING));
  if (related !== null) {
    lines.push(`  related:  ${placeOf(file, related.line, related.column)}`);
    lines.push(...excerptLines(related.line, related.column, related.excerpt));
  }
  return lines.map(printable).join("\n");
}

const HANGING = " ".repeat("  expected: ".length);

function placeOf(file: string | null, line: number, column: number): string {
  return `${file ?? "policy"}:${String(line)}:${String(column)}`;
}

function describeRest(rest: readonly Diagnostic[]): string {
  const places = rest.slice(0, MOST_PLACES).map(({ line, column }) => `${String(line)}:${String(column)}`);
  const more = rest.length > places.length ? ", ..." : "";
  const noun = rest.length === 1 ? "finding" : "findings";
  return `${String(rest.length)} more ${noun}, at ${places.join(", ")}${more}`;
}

/** Breaks a line at spaces; a word that is longer than the width stays whole. */
function folded(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\S) /)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= WIDTH || line === "") {
      line = longer;
      continue;
    }
    lines.push(line);
    line = indent + word;
  }
  return [...lines, line];
}

function excerptLines(line: number, column: number, excerpt: string): string[] {
  const number = String(line);
  const pad = " ".repeat(number.length);
  // A tab keeps its width under itself.
  const lead = excerpt.slice(0, markOf(column)).replace(/[^\t]/g, " ");
  return [`  ${number} | ${excerpt}`, `  ${pad} | ${lead}^`];
}

/** A policy may hold terminal escapes; they must not reach the terminal. */
function printable(line: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return line.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, "\ufffd");
}
