/** A table for people: columns aligned, numbers to the right, two spaces between columns. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => String(row[at]).length)));
  const line = (cells: readonly (string | number)[]): string =>
    cells
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        return typeof cell === "number" ? String(cell).padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [line(head), ...rows.map(line)];
}
