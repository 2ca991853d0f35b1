/** Several values of a parameter in one text, as the API reads them. */
export function listText(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/%(?=2C|25)|,/gi, escapeOf)).join(",");
}

function escapeOf(character: string): string {
  return character === "," ? "%2C" : "%25";
}
