/** What holds no reference: comments, and texts in quotes or backticks. */
const NO_CODE = /#[^\n]*|"(?:[^"\\\n]|\\.)*"|`[^`]*`/g;

/** A module with blanks in place of its comments and of what its texts say. The rest stays where it is. */
export function codeOf(text: string): string {
  return text.replaceAll(NO_CODE, (piece) =>
    piece.startsWith("#") ? blank(piece) : `${piece.charAt(0)}${blank(piece.slice(1, -1))}${piece.charAt(0)}`,
  );
}

/** A module with blanks in place of what its texts say. Comments and the rest stay. */
export function withoutTexts(text: string): string {
  return text.replaceAll(NO_CODE, (piece) => (piece.startsWith("#") ? piece : blank(piece)));
}

function blank(piece: string): string {
  return piece.replaceAll(/[^\n]/g, " ");
}

/** The row and the column, from 1, of a place in a text. The column is in characters of Unicode. */
export function placeIn(text: string, index: number): { readonly row: number; readonly column: number } {
  const before = text.slice(0, index).split("\n");
  return { row: before.length, column: Array.from(before.at(-1) ?? "").length + 1 };
}
