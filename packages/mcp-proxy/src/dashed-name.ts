/** How servers behind CGI and its like read the name of a header: they take `_`, and some any sign, for `-`. */
export function dashedName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "-");
}
