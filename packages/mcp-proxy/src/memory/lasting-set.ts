import { hash, randomBytes } from "node:crypto";

/** Size in bits, 1 MiB: with 500,000 keys in it one of 2,000 others is taken for a key, with 10,000 none. */
const BITS = 2 ** 23;

/** Bits for each key, as count: all 32 bytes of a SHA-256 in fours, but one. */
const BITS_PER_KEY = 7;

/**
 * A set of fixed size that forgets nothing. The fuller it is, the more often it takes a key that it was never
 * given for one of its own: what is refused for being in it is refused too often, never too seldom.
 */
export class LastingSet {
  readonly #bytes = new Uint8Array(BITS / 8);
  /** Nobody can look for keys that are taken for others. */
  readonly #salt = randomBytes(16).toString("hex");

  add(key: string): void {
    for (const bit of this.#bitsOf(key))
      this.#bytes[bit >> 3] = (this.#bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  }

  has(key: string): boolean {
    return this.#bitsOf(key).every((bit) => ((this.#bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  }

  #bitsOf(key: string): number[] {
    const digest = hash("sha256", this.#salt + key, "buffer");
    return Array.from({ length: BITS_PER_KEY }, (_, index) => digest.readUInt32BE(index * 4) % BITS);
  }
}
