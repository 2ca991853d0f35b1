import { hash, randomBytes } from "node:crypto";

/** Bytes of randomness in an API key's secret. */
const SECRET_BYTES = 32;

/** Bytes of randomness in an API key's id. */
const ID_BYTES = 6;

/** The same in the id of a key of minutes, which is forgotten after a day: no other key gets the id. */
const SHORT_ID_BYTES = 12;

const API_KEY = /^svc_([a-z0-9]{4,32})_([A-Za-z0-9]{43,128})$/;

/** What an API key must look like, as told to people. */
export const API_KEY_EXPECTATION =
  "svc_<id>_<secret>: an id of 4 to 32 characters a-z 0-9 and a secret of 43 to 128 letters and digits";

/** An API key taken apart. The secret is never stored or logged. */
export interface ApiKey {
  readonly id: string;
  readonly secret: string;
}

export function parseApiKey(text: string): ApiKey | null {
  const [, id, secret] = API_KEY.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

export function newApiKey(): ApiKey {
  return apiKeyWithId(ID_BYTES);
}

export function newShortKey(): ApiKey {
  return apiKeyWithId(SHORT_ID_BYTES);
}

function apiKeyWithId(idBytes: number): ApiKey {
  return { id: randomBytes(idBytes).toString("hex"), secret: randomBytes(SECRET_BYTES).toString("hex") };
}

export function formatApiKey({ id, secret }: ApiKey): string {
  return `svc_${id}_${secret}`;
}

/**
 * What is stored of a secret: its SHA-256 as hex. A fast hash suffices, because the secret is 256 random bits
 * and not a password.
 */
export function secretDigest(secret: string): string {
  return hash("sha256", secret, "hex");
}
