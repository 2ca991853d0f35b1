import { utf8Bytes } from "./utf8.ts";

/** Bytes of one block, and where the length of the message stands in the last one. */
const BLOCK_BYTES = 64;
const LENGTH_AT = 56;

const WORD = 2 ** 32;

/** First 32 bits behind the point of roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
const rootsOfPrimes = (count: number, root: (prime: number) => number): readonly number[] => {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes.map((prime) => ((root(prime) % 1) * WORD) | 0);
};

const ROUNDS = Int32Array.from(rootsOfPrimes(64, Math.cbrt));
const START = rootsOfPrimes(8, Math.sqrt);

/** The same functions as in `sha256-node.ts`, for runtimes that are not Node. */
export function sha256(text: string): string {
  return hex(digest(utf8Bytes(text)));
}

export function hmacSha256(innerPad: Uint8Array, outerPad: Uint8Array): (text: string) => string {
  return (text) => hex(digest(joined(outerPad, digest(joined(innerPad, utf8Bytes(text))))));
}

function digest(message: Uint8Array): Uint8Array {
  const state = Int32Array.from(START);
  const padded = padMessage(message);
  const view = new DataView(padded.buffer);
  const words = new Int32Array(64);
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(at + 4 * index);
    for (let index = 16; index < 64; index += 1) words[index] = scheduled(words, index);
    compress(state, words);
  }
  const bytes = new DataView(new ArrayBuffer(4 * state.length));
  for (const [index, word] of state.entries()) bytes.setInt32(4 * index, word);
  return new Uint8Array(bytes.buffer);
}

function padMessage(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = Math.ceil((message.length + 1 + BLOCK_BYTES - LENGTH_AT) / BLOCK_BYTES);
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80;
  const end = new DataView(padded.buffer, padded.length - 8);
  end.setUint32(0, Math.floor((message.length * 8) / WORD));
  end.setUint32(4, (message.length * 8) % WORD);
  return padded;
}

function scheduled(words: Int32Array, index: number): number {
  const [before15 = 0, before2 = 0] = [words[index - 15], words[index - 2]];
  const small0 = rotated(before15, 7) ^ rotated(before15, 18) ^ (before15 >>> 3);
  const small1 = rotated(before2, 17) ^ rotated(before2, 19) ^ (before2 >>> 10);
  return ((words[index - 16] ?? 0) + small0 + (words[index - 7] ?? 0) + small1) | 0;
}

function compress(state: Int32Array, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < 64; round += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const first = (h + sum1 + choice + (ROUNDS[round] ?? 0) + (words[round] ?? 0)) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + sum0 + majority) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries())
    state[index] = ((state[index] ?? 0) + word) | 0;
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
