/** Explains a tool name that two globs match. */
export function matchedByBoth(witness: string): string {
  return `for example the tool ${witness} matches both`;
}

/** A glob as it must be written in YAML: one that begins with a star would be read as an alias. */
export function quoteGlob(glob: string): string {
  return glob.startsWith("*") ? JSON.stringify(glob) : glob;
}
