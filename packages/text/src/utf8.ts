/** What stands for half of a surrogate pair, as in every encoder of the platform. */
const REPLACEMENT = 0xfffd;

/** How many bytes the text has in UTF-8. */
export function utf8Length(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) length += 1;
    else if (unit < 0x800) length += 2;
    else if ((text.codePointAt(at) ?? 0) > 0xffff) {
      length += 4;
      at += 1;
    } else length += 3;
  }
  return length;
}

/** The text in UTF-8. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (const character of text) at = putCodePoint(bytes, at, character.codePointAt(0) ?? 0);
  return bytes;
}

/** Where sequences of two, three and four bytes begin. */
const LONGER_FROM = [0x80, 0x800, 0x1_0000];

/** High bits of the first byte, by the number of bytes that follow it. */
const LEADS = [0x00, 0xc0, 0xe0, 0xf0];

/** @returns the place behind it */
function putCodePoint(bytes: Uint8Array, at: number, codePoint: number): number {
  const isHalf = codePoint >= 0xd800 && codePoint <= 0xdfff;
  const value = isHalf ? REPLACEMENT : codePoint;
  const further = LONGER_FROM.filter((from) => value >= from).length;
  bytes[at] = (LEADS[further] ?? 0) | (value >> (6 * further));
  for (let left = further - 1; left >= 0; left -= 1)
    bytes[at + further - left] = 0x80 | ((value >> (6 * left)) & 0x3f);
  return at + further + 1;
}
