/**
 * The text with all control and formatting characters except newlines and tabs made visible, so that the
 * answer of a server cannot control the terminal.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
