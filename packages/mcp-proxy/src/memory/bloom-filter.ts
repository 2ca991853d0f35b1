import { hash, randomBytes } from "node:crypto";

/**
 * Size in bits, 1 MiB: false positives are 1 in 2,000 with 500,000 keys, and none in practice with 10,000.
 */
const BITS = 2 ** 23;

/** Hash functions, as count: 7 of the 8 numbers of 4 bytes in a SHA-256 digest. */
const HASHES = 7;

/**
 * A Bloom filter: a set of fixed size that never forgets a key. `has` may answer true for a key that was
 * never added, more often the fuller the set is, and never false for one that was. Use it only to refuse.
 */
export class BloomFilter {
  readonly #bytes = new Uint8Array(BITS / 8);
  /** Without the salt, an attacker could compute keys that collide with others. */
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
    return Array.from({ length: HASHES }, (_, index) => digest.readUInt32BE(index * 4) % BITS);
  }
}
