import { hash } from "node:crypto";

/** Bytes of one block of SHA-256. A key of exactly this length is used by HMAC as it is. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

const KEY_FORM = /^[0-9a-f]{64}$/;

/**
 * HMAC-SHA-256 (RFC 2104) with a key of the deployment. Without the key, nobody can guess the digested text
 * by trying values. The key is the text of 64 hexadecimal digits, which carry 256 random bits. Text and pads
 * are ASCII, so two one-shot hashes compute the digest at half the cost of `createHmac`.
 */
export class KeyedDigest {
  readonly #innerPad: string;
  readonly #outer: Buffer;

  /** @throws when the key is not 64 lower-case hexadecimal digits. */
  constructor(key: string) {
    if (!KEY_FORM.test(key)) throw new Error("digest key: expected 64 lower-case hexadecimal digits");
    this.#innerPad = Buffer.from(padded(key, INNER_PAD)).toString("latin1");
    this.#outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
    this.#outer.set(padded(key, OUTER_PAD));
  }

  /** `hmac-sha256:` and 64 hexadecimal digits, of the text in UTF-8. */
  of(text: string): string {
    const inner = hash("sha256", this.#innerPad + text, "binary");
    this.#outer.write(inner, BLOCK_BYTES, "binary");
    return `hmac-sha256:${hash("sha256", this.#outer)}`;
  }
}

function padded(key: string, pad: number): Uint8Array {
  return Uint8Array.from(key, (digit) => digit.charCodeAt(0) ^ pad);
}
