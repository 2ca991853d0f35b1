/**
 * A header name as those servers read it that take every separator for the same: CGI and its kin do. Only
 * letters and digits keep two names apart there.
 */
export function foldHeaderName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "-");
}
