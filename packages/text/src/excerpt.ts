/**
 * A short piece of a text for people: quoted, in printable ASCII, so that look-alikes and control characters
 * show.
 * @param maxLength of the quoted piece in characters; what is cut ends in three points.
 */
export function excerpt(text: string, maxLength: number): string {
  const shown = JSON.stringify(text.slice(0, maxLength)).replace(/[^\x20-\x7e]/g, escaped);
  if (text.length <= maxLength && shown.length <= maxLength) return shown;
  return `${shown.slice(0, maxLength)}...`;
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
