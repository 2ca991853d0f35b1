import { randomBytes } from "node:crypto";
import { type EnvelopeKey, envelopeKey, KEY_BYTES } from "./envelope.ts";

/** Most keys at once, as count: one in use, and those that are being replaced. */
const MAX_KEYS = 8;

const KEY = /^[A-Za-z0-9+/]{43}=$/;

export const MASTER_KEY_EXPECTATION =
  "32 random bytes in base64, such as `openssl rand -base64 32` prints; while a key is replaced, the new " +
  "one and then the old one, with a comma or a line break between them";

/** The keys that encrypt the keys of organizations. The first encrypts, and all of them decrypt. */
export type MasterKeys = readonly [EnvelopeKey, ...EnvelopeKey[]];

/** @throws an Error that says what was expected, and never repeats the text */
export function parseMasterKeys(text: string): MasterKeys {
  const parts = text
    .split(/[,\s]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const [first, ...others] = parts.map(parseKey);
  if (first === undefined || parts.length > MAX_KEYS) throw new Error(MASTER_KEY_EXPECTATION);
  return [first, ...others];
}

export function generateMasterKey(): string {
  return randomBytes(KEY_BYTES).toString("base64");
}

function parseKey(text: string): EnvelopeKey {
  const bytes = Buffer.from(text, "base64");
  // The last digit of base64 has two bits that count for nothing: one key must have one spelling.
  if (!KEY.test(text) || bytes.toString("base64") !== text) throw new Error(MASTER_KEY_EXPECTATION);
  return envelopeKey(bytes);
}
