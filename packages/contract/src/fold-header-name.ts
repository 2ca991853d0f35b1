/**
 * A header name as servers of the CGI kind read it. They fold every separator into one character, so two
 * names that differ in separators alone are the same name there.
 */
export function foldHeaderName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "-");
}
