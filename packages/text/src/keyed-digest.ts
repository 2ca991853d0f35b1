import { hmacSha256 } from "#sha256";

const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/** As long as a block of SHA-256: HMAC uses a key of this length as it is. */
const KEY_FORM = /^[0-9a-f]{64}$/;

/**
 * HMAC-SHA-256 (RFC 2104) with a key of the deployment. Without the key, nobody can guess the digested text
 * by trying values. The key is the text of 64 hexadecimal digits, which carry 256 random bits.
 */
export class KeyedDigest {
  readonly #mac: (text: string) => string;

  /** @throws when the key is not 64 lower-case hexadecimal digits. */
  constructor(key: string) {
    if (!KEY_FORM.test(key)) throw new Error("digest key: expected 64 lower-case hexadecimal digits");
    this.#mac = hmacSha256(padded(key, INNER_PAD), padded(key, OUTER_PAD));
  }

  /** `hmac-sha256:` and 64 hexadecimal digits, of the text in UTF-8. */
  of(text: string): string {
    return `hmac-sha256:${this.#mac(text)}`;
  }
}

function padded(key: string, pad: number): Uint8Array {
  return Uint8Array.from(key, (digit) => digit.charCodeAt(0) ^ pad);
}
