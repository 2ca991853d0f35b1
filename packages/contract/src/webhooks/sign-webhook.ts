import type { WebhookEvent } from "./webhook-event.ts";

/** The prefix of the secret of an endpoint. Base64 follows. */
const SECRET_PREFIX = "whsec_";

/** Bytes of randomness in a secret: what Standard Webhooks suggests. */
const SECRET_BYTES = 24;

export interface WebhookToSign {
  readonly event: Pick<WebhookEvent, "id" | "type">;
  /** As it is sent, byte for byte. */
  readonly body: string;
  /** Names this delivery; another attempt has another name. */
  readonly deliveryId: string;
  /** Of the endpoint; two while one is exchanged for the other, the present one first. */
  readonly secrets: readonly [string, ...string[]];
  /** Seconds since 1970. */
  readonly nowS: number;
}

export type WebhookHeaders = Readonly<Record<string, string>>;

/**
 * The headers of a delivery: those of the service, and those of Standard Webhooks, by which it is verified.
 * @throws TypeError for a secret that cannot be one
 */
export async function signWebhook(delivery: WebhookToSign): Promise<WebhookHeaders> {
  const { event, body, deliveryId, secrets, nowS } = delivery;
  const timestamp = String(Math.trunc(nowS));
  const signed = `${event.id}.${timestamp}.${body}`;
  const signatures = await Promise.all(
    secrets.map(async (secret) => `v1,${toBase64(await hmac(secretBytes(secret), signed))}`),
  );
  const own = await hmac(new TextEncoder().encode(secrets[0]), body);
  return {
    "content-type": "application/json",
    "x-svc-event": event.type,
    "x-svc-delivery": deliveryId,
    "x-svc-signature-256": `sha256=${toHex(own)}`,
    "idempotency-key": event.id,
    "webhook-id": event.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** A new secret of an endpoint. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** Whether a text can be the secret of an endpoint. */
export function isWebhookSecret(text: string): boolean {
  return /^whsec_(?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  if (!isWebhookSecret(secret)) throw new TypeError(`secret: expected ${SECRET_PREFIX} and Base64`);
  return Uint8Array.from(atob(secret.slice(SECRET_PREFIX.length)), (char) => char.charCodeAt(0));
}

async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text)));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
