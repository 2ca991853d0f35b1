/**
 * The values of a list in one text, with commas between them. In a value, a comma is `%2C` and a percent sign
 * before either of the two is `%25`.
 */
export function listValues(text: string): string[] {
  return text
    .split(",")
    .map((value) => value.replaceAll(/%2C|%25/gi, (escape) => (escape === "%25" ? "%" : ",")));
}
