const ZERO = 48;
const NINE = 57;
const SPACE = 32;
const HYPHEN = 45;

/** Whether the character at a place is an ASCII digit; false outside the text. */
export function isDigitAt(text: string, at: number): boolean {
  return digitAt(text, at) >= 0;
}

/** 0 to 9; -1 where no ASCII digit stands. */
export function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= ZERO && code <= NINE ? code - ZERO : -1;
}

/** Whether a space or a hyphen stands there, as people put between groups. */
export function isGroupGapAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === SPACE || code === HYPHEN;
}
