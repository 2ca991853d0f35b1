import { printable } from "@svc/process/printable";

/** Blanks between two columns. */
const GAP = 2;

/**
 * Rows as columns with a heading at a terminal, and as lines with tabs and without a heading elsewhere.
 * Every line ends with a newline.
 */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  isTerminal: boolean,
): string {
  if (!isTerminal) return rows.map((row) => `${row.map(oneLine).join("\t")}\n`).join("");
  const lines = [headings, ...rows.map((row) => row.map((cell) => printable(oneLine(cell))))];
  const widths = headings.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? "").length)));
  const padded = (line: readonly string[]): string =>
    line.map((cell, at) => cell.padEnd((widths[at] ?? 0) + GAP)).join("");
  return lines.map((line) => `${padded(line).trimEnd()}\n`).join("");
}

/** A text from elsewhere on one line: a tab or a line end in it would make another cell or row of it. */
export function oneLine(text: string): string {
  return text.replace(/[\t\r\n]/g, " ");
}
