const ASCII_CODES = 128;

/** Values of ASCII letters and digits in base 36 by their code; -1 for every other ASCII character. */
const VALUES = Int8Array.from({ length: ASCII_CODES }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 36);
  return Number.isNaN(value) ? -1 : value;
});

/** Whether an ASCII letter or digit stands at a place; false outside the text. */
export function isAlphanumericAt(text: string, at: number): boolean {
  return alphanumericValueAt(text, at) >= 0;
}

/** 0 to 9 for a digit, 10 to 35 for a letter of either case, -1 for anything else and outside the text. */
export function alphanumericValueAt(text: string, at: number): number {
  // Outside the text the code is NaN, which is not below the bound.
  const code = text.charCodeAt(at);
  return code < ASCII_CODES ? (VALUES[code] as number) : -1;
}
