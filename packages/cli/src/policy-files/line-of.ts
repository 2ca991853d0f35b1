/** The line, from 1, of an offset in UTF-16 units. */
export function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
