/**
 * A text for a search that does not tell upper from lower case. Both sides of a comparison are folded.
 * PostgreSQL stores no U+0000.
 */
export function foldText(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("\0", " ");
}
