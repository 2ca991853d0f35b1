const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const BITS_PER_DIGIT = 6;

/** Random bytes that nobody can guess, in base64url (RFC 4648) without padding. */
export function randomToken(bytes: number): string {
  let text = "";
  let [bits, known] = [0, 0];
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) {
    bits = (bits << 8) | byte;
    for (known += 8; known >= BITS_PER_DIGIT; known -= BITS_PER_DIGIT)
      text += DIGITS.charAt((bits >> (known - BITS_PER_DIGIT)) & 0x3f);
    bits &= 0x3f;
  }
  return known === 0 ? text : text + DIGITS.charAt((bits << (BITS_PER_DIGIT - known)) & 0x3f);
}
