/** Longest excerpt in UTF-16 units: one line of a terminal, twice. */
const EXCERPT_LENGTH = 160;

/** Of a long line, what stands before the column stays readable: so many UTF-16 units of it. */
const LEAD_LENGTH = 60;

const CUT = "...";

/** The line as far as it is shown: from its beginning, or around the column in a line that is much longer. */
export function excerptAt(line: string, column: number): string {
  const start = isFar(column) ? column - 1 - LEAD_LENGTH : 0;
  const end = start + EXCERPT_LENGTH;
  return (start > 0 ? CUT : "") + line.slice(start, end) + (end < line.length ? CUT : "");
}

/** How many UTF-16 units of the excerpt stand before the column. */
export function markOf(column: number): number {
  return isFar(column) ? CUT.length + LEAD_LENGTH : column - 1;
}

function isFar(column: number): boolean {
  return column > EXCERPT_LENGTH;
}
