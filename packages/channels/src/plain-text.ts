/** Control characters, and invisible ones that turn a line around or hide parts of it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** One line for people, of text that an agent may have chosen. What is cut ends in three points. */
export function plainText(text: string, maxCharacters: number): string {
  const line = Array.from(text.toWellFormed().replaceAll(UNSEEN, " ").trim());
  return line.length <= maxCharacters ? line.join("") : `${line.slice(0, maxCharacters - 1).join("")}…`;
}
