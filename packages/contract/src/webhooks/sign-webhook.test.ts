import { loadVectors } from "@svc/text/testing/vectors-suite";
import { describe, expect, it } from "vitest";
import { isWebhookSecret, newWebhookSecret, signWebhook } from "./sign-webhook.ts";

interface DeliveryVector {
  readonly description: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly now_s: number;
}

const [vector] = loadVectors<DeliveryVector>("webhook-deliveries");
if (vector === undefined) throw new Error("expected vectors");
const { body, headers, now_s: nowS } = vector;
const [secret = ""] = vector.secrets;
const DELIVERY = {
  event: { id: "evt_1", type: "killswitch.activated" },
  body,
  deliveryId: "dlv_1",
  nowS,
} as const;

// proves CLI-76
describe("signWebhook", () => {
  it("makes the headers that the client libraries verify", async () => {
    const wanted = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    expect(await signWebhook({ ...DELIVERY, secrets: [secret] })).toEqual({
      ...Object.fromEntries(wanted),
      "content-type": "application/json",
    });
  });

  it("signs with both secrets while one is exchanged", async () => {
    const signed = await signWebhook({ ...DELIVERY, secrets: [newWebhookSecret(), secret] });
    const [first, second, ...others] = (signed["webhook-signature"] ?? "").split(" ");
    expect([second, others]).toEqual([headers["webhook-signature"], []]);
    expect(first).not.toBe(second);
  });

  it("makes secrets that differ, and refuses what is not one", async () => {
    expect(isWebhookSecret(newWebhookSecret())).toBe(true);
    expect(newWebhookSecret()).not.toBe(newWebhookSecret());
    for (const wrong of ["", "whsec_", "whsec_*", "whsec_YQ==", secret.slice(6)]) {
      expect(isWebhookSecret(wrong)).toBe(false);
      await expect(signWebhook({ ...DELIVERY, secrets: [wrong] })).rejects.toThrow(TypeError);
    }
  });
});
