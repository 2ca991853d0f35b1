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
  if (!isTerminal) return rows.map((row) => `${row.map(oneCell).join("\t")}\n`).join("");
  const lines = [headings, ...rows];
  const widths = headings.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? "").length)));
  const padded = (line: readonly string[]): string =>
    line.map((cell, at) => cell.padEnd((widths[at] ?? 0) + GAP)).join("");
  return lines.map((line) => `${padded(line).trimEnd()}\n`).join("");
}

/** A tab or a line end within a cell would make another cell or row of it. */
function oneCell(cell: string): string {
  return cell.replace(/[\t\r\n]/g, " ");
}
