/** What shows something: neither blank, nor unseen, nor the blank of Braille. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a person would see nothing. */
export function isBlank(text: string): boolean {
  return !SEEN.test(text);
}
