/** Explains a tool name that two globs match. */
export function matchedByBoth(witness: string): string {
  return `for example the tool ${witness} matches both`;
}
