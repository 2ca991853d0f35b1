import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { parseStrictJsonText } from "@svc/contract/strict-json-text";

/** Seconds that a delivery may be old, or its sender's clock ahead: what Standard Webhooks suggests. */
const TOLERANCE_S = 300;

const SECRET_PREFIX = "whsec_";

/** Most signatures that one header may hold: two while a secret is exchanged, and some more. */
const MAX_SIGNATURES = 8;

/** What came over HTTP. */
export interface WebhookDelivery {
  /** The body as it came. A body that was parsed and written again has another signature. */
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The endpoint's secret, `whsec_...`; several while one is exchanged for another. */
  readonly secret: string | readonly string[];
  /** Seconds since 1970, for tests; the time of this machine without it. */
  readonly nowS?: number | undefined;
}

export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly org_id: string;
  readonly data: JsonObject;
}

/** The delivery does not come from the service, or not lately. Answer 400 and do nothing. */
export class SvcWebhookInvalid extends Error {
  override readonly name = "SvcWebhookInvalid";
}

/**
 * The event of a delivery whose signature is right and fresh. An id that was seen before is a repeat: keep
 * the ids of some days and answer 200 without doing anything.
 * @throws SvcWebhookInvalid otherwise
 */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookEvent> {
  const { body, headers, secret, nowS = Date.now() / 1_000 } = delivery;
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature").split(" ").slice(0, MAX_SIGNATURES);
  if (!/^[0-9]{1,12}$/.test(timestamp))
    throw new SvcWebhookInvalid("webhook-timestamp: expected seconds since 1970");
  if (Math.abs(nowS - Number(timestamp)) > TOLERANCE_S)
    throw new SvcWebhookInvalid(
      `webhook-timestamp: expected at most ${String(TOLERANCE_S)} s from now. Is this machine's clock right?`,
    );
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!(await isSigned(signed, signatures, secrets)))
    throw new SvcWebhookInvalid("webhook-signature: expected one that a secret of this endpoint makes");
  return eventOf(bytes, id);
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> {
  const checks = secrets.map(async (secret) => {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", secretBytes(secret), hmac, false, ["verify"]);
    const found = signatures.map(async (signature) => {
      const bytes = signature.startsWith("v1,") ? base64Bytes(signature.slice(3)) : null;
      // Its time does not depend on where the two differ.
      return bytes !== null && crypto.subtle.verify("HMAC", key, bytes, signed);
    });
    return (await Promise.all(found)).includes(true);
  });
  return (await Promise.all(checks)).includes(true);
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith(SECRET_PREFIX) ? base64Bytes(secret.slice(SECRET_PREFIX.length)) : null;
  if (bytes === null || bytes.byteLength === 0)
    throw new TypeError(`secret: expected ${SECRET_PREFIX} and Base64, as the endpoint shows it`);
  return bytes;
}

function base64Bytes(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.byteLength + second.byteLength);
  all.set(first);
  all.set(second, first.byteLength);
  return all;
}

function eventOf(bytes: Uint8Array, id: string): WebhookEvent {
  const event = parseStrictJsonText(new TextDecoder().decode(bytes));
  if (event.ok && isJsonObject(event.value)) {
    const { id: eventId, type, timestamp, org_id, data } = event.value;
    if (
      eventId === id &&
      typeof type === "string" &&
      typeof timestamp === "string" &&
      typeof org_id === "string" &&
      isJsonObject(data)
    )
      return { id, type, timestamp, org_id, data };
  }
  throw new SvcWebhookInvalid("body: expected the JSON of an event, with the id of the header webhook-id");
}

function headerOf(headers: WebhookDelivery["headers"], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : ownHeader(headers, name);
  if (typeof value === "string" && value !== "") return value;
  throw new SvcWebhookInvalid(`${name}: expected this header`);
}

function ownHeader(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): unknown {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}
