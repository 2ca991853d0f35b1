import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** Bytes of a key of AES-256. */
export const KEY_BYTES = 32;

/** Bytes of the nonce of GCM. It is random: one key encrypts far fewer texts than 2^32. */
const NONCE_BYTES = 12;

const TAG_BYTES = 16;

/** Bytes of a digest that name a key: enough to tell a few keys apart. */
const KEY_ID_BYTES = 6;

const FORM = /^v1\.([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** A key with a name that says nothing about it. */
export interface EnvelopeKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** The ciphertext was changed, or belongs to another place, or to another key. */
export class EnvelopeError extends Error {
  override readonly name = "EnvelopeError";
}

export function envelopeKey(bytes: Buffer): EnvelopeKey {
  const digest = createHash("sha256").update("svc-envelope-key\n").update(bytes).digest();
  return { id: digest.subarray(0, KEY_ID_BYTES).toString("base64url"), bytes };
}

/** The name of the key that a sealed text needs. @throws EnvelopeError for a text of another form */
export function keyIdOf(sealed: string): string {
  return partsOf(sealed).keyId;
}

/**
 * @param place what the text belongs to; it opens there alone
 * @returns `v1.<key id>.<nonce>.<ciphertext and tag>`, in base64url
 */
export function seal(key: EnvelopeKey, place: readonly string[], text: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(place));
  const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `v1.${key.id}.${nonce.toString("base64url")}.${sealed.toString("base64url")}`;
}

/** @throws EnvelopeError, which never says what the text is */
export function open(key: EnvelopeKey, place: readonly string[], sealed: string): Buffer {
  const { keyId, nonce, text, tag } = partsOf(sealed);
  if (keyId !== key.id) throw new EnvelopeError(`it was encrypted with the key ${keyId}, not with ${key.id}`);
  const decipher = createDecipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(place));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]);
  } catch (error) {
    throw new EnvelopeError("it was changed, or belongs to another place", { cause: error });
  }
}

function partsOf(sealed: string) {
  const [, keyId = "", nonceText = "", bytesText = ""] = FORM.exec(sealed) ?? [];
  const [nonce, bytes] = [Buffer.from(nonceText, "base64url"), Buffer.from(bytesText, "base64url")];
  if (nonce.length !== NONCE_BYTES || bytes.length < TAG_BYTES)
    throw new EnvelopeError("it is not in the form v1");
  const end = bytes.length - TAG_BYTES;
  return { keyId, nonce, text: bytes.subarray(0, end), tag: bytes.subarray(end) };
}

/** JSON keeps the parts apart: no two places have the same bytes. */
function boundTo(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(["svc", "v1", ...place]));
}
