import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from "node:crypto";
import { parseBase64, renderBase64 } from "./base64.ts";

/** C2SP signed-note signature type of Ed25519. */
const ED25519_TYPE = 0x01;

/** Length in bytes of an Ed25519 public key. */
const PUBLIC_KEY_BYTES = 32;

/** Length in bytes of a key id: the start of a hash, a hint which key to try and no proof. */
export const KEY_ID_BYTES = 4;

/** A public key that notes are verified with. */
export interface VerifierKey {
  readonly name: string;
  /** First 4 bytes of SHA-256(name || "\n" || 0x01 || public key), in hex. */
  readonly id: string;
  readonly publicKey: KeyObject;
}

/** A private key that notes are signed with, and the verifier key that belongs to it. */
export interface NoteSigner {
  readonly privateKey: KeyObject;
  readonly verifier: VerifierKey;
}

/** A new Ed25519 private key as PKCS #8 PEM. */
export function generateSigningKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The signer of a PKCS #8 PEM. @throws if the key is not Ed25519, or if the name is not a key name. */
export function parseSigner(name: string, pem: string): NoteSigner {
  if (!isKeyName(name)) {
    throw new TypeError(`expected a key name without white space and "+", found ${JSON.stringify(name)}`);
  }
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyType !== "ed25519") {
    throw new TypeError(`expected an Ed25519 private key, found ${privateKey.asymmetricKeyType}`);
  }
  const publicKey = createPublicKey(privateKey);
  return { privateKey, verifier: { name, id: keyId(name, rawPublicKey(publicKey)), publicKey } };
}

/** One line that publishes a key: `<name>+<hex key id>+<base64 of 0x01 || public key>`. */
export function renderVerifierKey(key: VerifierKey): string {
  const typed = Buffer.concat([Uint8Array.of(ED25519_TYPE), rawPublicKey(key.publicKey)]);
  return `${key.name}+${key.id}+${renderBase64(typed)}`;
}

/** Reads what `renderVerifierKey` writes. Throws TypeError saying what is wrong with the text. */
export function parseVerifierKey(text: string): VerifierKey {
  // Base64 contains "+", a name does not: only the first two separate.
  const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text);
  const [, name = "", id = "", encoded = ""] = match ?? [];
  const typed = parseBase64(encoded);
  if (!isKeyName(name) || typed === null) {
    throw new TypeError(`expected a key as <name>+<8 hex digits>+<base64>, found ${JSON.stringify(text)}`);
  }
  if (typed[0] !== ED25519_TYPE || typed.length !== 1 + PUBLIC_KEY_BYTES) {
    throw new TypeError(
      `expected an Ed25519 key (type 1, ${PUBLIC_KEY_BYTES} bytes) in ${JSON.stringify(text)}`,
    );
  }
  const raw = typed.subarray(1);
  if (keyId(name, raw) !== id) {
    throw new TypeError(
      `the key ${JSON.stringify(text)} is mistyped or damaged: expected the id ${keyId(name, raw)} for its ` +
        `name and bytes, found ${id}; copy it again`,
    );
  }
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(raw).toString("base64url") };
  return { name, id, publicKey: createPublicKey({ key: jwk, format: "jwk" }) };
}

function keyId(name: string, publicKey: Uint8Array): string {
  const named = Buffer.concat([Buffer.from(`${name}\n`), Uint8Array.of(ED25519_TYPE), publicKey]);
  return hash("sha256", named, "buffer").subarray(0, KEY_ID_BYTES).toString("hex");
}

function rawPublicKey(key: KeyObject): Uint8Array {
  return Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");
}

function isKeyName(name: string): boolean {
  return /^[^\s+\p{Cc}]+$/u.test(name) && name.isWellFormed();
}
