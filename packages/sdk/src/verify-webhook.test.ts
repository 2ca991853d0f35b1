import { createHmac, randomBytes } from "node:crypto";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { describe, expect, it } from "vitest";
import { SvcWebhookInvalid, verifyWebhook, type WebhookEvent } from "./verify-webhook.ts";

interface DeliveryVector {
  readonly description: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly now_s: number;
  readonly event: WebhookEvent | null;
  /** How the message begins. */
  readonly refused: string | null;
}

const vectors = loadVectors<DeliveryVector>("webhook-deliveries");
const [sound] = vectors;
if (sound === undefined) throw new Error("expected vectors");
const { body, headers, secrets, now_s: nowS } = sound;

describe("verifyWebhook", () => {
  it.each(vectors)("$description", async ({ event, refused, now_s, secrets: secret, ...delivery }) => {
    for (const given of [
      delivery,
      { body: bytesOf(delivery.body), headers: new Headers(delivery.headers) },
    ]) {
      const verifying = verifyWebhook({ ...given, secret, nowS: now_s });
      if (refused === null) expect(await verifying).toEqual(event);
      else {
        await expect(verifying).rejects.toThrow(SvcWebhookInvalid);
        await expect(verifying).rejects.toThrow(new RegExp(`^${refused}: expected`));
      }
    }
  });

  it("refuses a header that stands there twice, and a body that is too long or not UTF-8", async () => {
    const twice = { ...headers, "Webhook-Id": "evt_1" };
    const verify = (more: object) => verifyWebhook({ body, headers, secret: secrets, nowS, ...more });
    await expect(verify({ headers: twice })).rejects.toThrow("webhook-id: expected this header, once");
    for (const bytes of [bytesOf(body.padEnd(70_000)), Buffer.from(`${body}\xff`, "latin1")])
      await expect(verify({ body: bytes, headers: signed(bytes) })).rejects.toThrow("body: expected");
  });

  it.each([["abc"], ["whsec_"], ["whsec_*"], ["whsec_YQ"], [[]]])(
    "says what a secret looks like: %s",
    async (secret) => {
      const verifying = verifyWebhook({ body, headers, secret, nowS });
      await expect(verifying).rejects.toThrow(TypeError);
      await expect(verifying).rejects.toThrow("secret: expected");
    },
  );

  it("the signature of the specification is that of the raw body, with the text of the secret as key", () => {
    const made = createHmac("sha256", secrets[0] ?? "")
      .update(body)
      .digest("hex");
    expect(headers["X-Svc-Signature-256"]).toBe(`sha256=${made}`);
  });

  it("refuses a delivery when the time of the receiver is not a number", async () => {
    const delivery = { body, headers: signed(bytesOf(body)), secret: secrets, nowS: Number.NaN };
    await expect(verifyWebhook(delivery)).rejects.toThrow(/^webhook-timestamp: expected/);
  });

  it("takes a secret that was made by chance", async () => {
    const key = randomBytes(24);
    const secret = `whsec_${key.toString("base64")}`;
    const bytes = bytesOf(body);
    expect(await verifyWebhook({ body, headers: signed(bytes, key), secret, nowS })).toMatchObject({
      id: "evt_1",
    });
  });
});

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function signed(bytes: Uint8Array, key = Buffer.from(secrets[0]?.slice(6) ?? "", "base64")) {
  const signature = createHmac("sha256", key)
    .update(`evt_1.${String(nowS)}.`)
    .update(bytes)
    .digest("base64");
  return { "webhook-id": "evt_1", "webhook-timestamp": String(nowS), "webhook-signature": `v1,${signature}` };
}
