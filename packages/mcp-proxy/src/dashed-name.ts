/** How servers behind CGI and its like read the name of a header: `_`, and to some any sign, is `-`. */
export function dashedName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "-");
}
