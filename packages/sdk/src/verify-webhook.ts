import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";

/** Seconds that a delivery may be old, or its sender's clock ahead: what Standard Webhooks suggests. */
const TOLERANCE_S = 300;

const SECRET_PREFIX = "whsec_";

/** Largest body of a delivery in bytes. The service sends less than 20 kB. */
const MAX_WEBHOOK_BYTES = 64 * 1024;

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
 * the ids of some days and answer 200 without doing anything. It reads the headers of Standard Webhooks.
 * `X-Svc-Signature-256` is not enough: it covers the body and no time, so a recorded delivery would pass.
 * @throws SvcWebhookInvalid otherwise, and TypeError for a secret that cannot be one
 */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookEvent> {
  const { body, headers, secret, nowS = Date.now() / 1_000 } = delivery;
  const secrets = (typeof secret === "string" ? [secret] : secret).map(secretBytes);
  if (secrets.length === 0) throw new TypeError("secret: expected at least one");
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature").split(" ").slice(0, MAX_SIGNATURES);
  if (!/^[0-9]{1,12}$/.test(timestamp))
    throw new SvcWebhookInvalid("webhook-timestamp: expected seconds since 1970");
  // Also where the time is not a number.
  if (!(Math.abs(nowS - Number(timestamp)) <= TOLERANCE_S))
    throw new SvcWebhookInvalid(
      `webhook-timestamp: expected at most ${String(TOLERANCE_S)} s from now. Is this machine's clock right?`,
    );
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, signatures, secrets)))
    throw new SvcWebhookInvalid("webhook-signature: expected one that a secret of this endpoint makes");
  return eventOf(bytes, id);
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const checks = secrets.map(async (secret) => {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", secret, hmac, false, ["verify"]);
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

/** Null unless it is Base64 in its one form: `atob` also reads other ones, which other readers refuse. */
function base64Bytes(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = atob(text);
    return btoa(bytes) === text ? Uint8Array.from(bytes, (char) => char.charCodeAt(0)) : null;
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
  const event = readJson(bytes);
  if (event !== null && isJsonObject(event)) {
    const { id: eventId, type, timestamp, org_id, data } = event;
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

function readJson(bytes: Uint8Array): JsonValue | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const parsed = parseStrictJsonText(text, MAX_WEBHOOK_BYTES);
    return parsed.ok ? parsed.value : null;
  } catch {
    return null;
  }
}

function headerOf(headers: WebhookDelivery["headers"], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : ownHeader(headers, name);
  if (typeof value === "string" && value !== "") return value;
  throw new SvcWebhookInvalid(`${name}: expected this header, once`);
}

function ownHeader(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): unknown {
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  return found.length === 1 ? found[0]?.[1] : undefined;
}
