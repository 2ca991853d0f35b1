/**
 * Blanks that Unicode counts as symbols, letters or marks: those of Braille, of hieroglyphs and of notes, the
 * filler of Khitan, and what stands for an object. For a class of a regular expression with the flag `u`.
 */
const BLANK_SYMBOLS = String.raw`\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}`;

/** Characters that nobody sees. A space is not among them. For a class with the flag `u`. */
const UNSEEN = String.raw`\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}${BLANK_SYMBOLS}`;

/** One character that nobody sees or that changes what others see, or a blank that is not the space. */
export const UNSEEN_CHARACTER = String.raw`(?:[${UNSEEN}]|(?! )\p{Zs})`;

/** A mark alone is not seen: it needs a letter that it stands on. */
const SHOWN = new RegExp(String.raw`(?![${UNSEEN}])[\p{L}\p{N}\p{P}\p{S}]`, "u");

/** Whether a reader sees anything of a text: a letter, digit, symbol or punctuation that is not blank. */
export function isSeen(text: string): boolean {
  return SHOWN.test(text);
}
