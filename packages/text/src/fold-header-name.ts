const SEPARATOR = /[^a-z0-9-]/;
const SEPARATORS = /[^a-z0-9-]/g;

/**
 * A header name as servers of the CGI kind read it. They fold every separator into one character, so two
 * names that differ in separators alone are the same name there.
 */
export function foldHeaderName(name: string): string {
  const lower = name.toLowerCase();
  // Most names are folded already, and a search costs less than a copy.
  return SEPARATOR.test(lower) ? lower.replace(SEPARATORS, "-") : lower;
}
