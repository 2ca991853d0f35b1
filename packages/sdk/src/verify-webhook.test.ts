import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { SvcWebhookInvalid, verifyWebhook } from "./verify-webhook.ts";

const SECRET = randomBytes(24);
const NOW_S = 1_790_000_000;
const EVENT = {
  id: "evt_1",
  type: "killswitch.activated",
  timestamp: "2026-09-21T12:00:00.000Z",
  org_id: "acme",
  schema_version: 1,
  data: { scope: "agent" },
};
const BODY = JSON.stringify(EVENT);

function signed(body: string, { id = "evt_1", atS = NOW_S, key = SECRET } = {}) {
  const signature = createHmac("sha256", key)
    .update(`${id}.${String(atS)}.${body}`)
    .digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(atS), "webhook-signature": `v1,${signature}` };
}

const secretText = (key: Buffer): string => `whsec_${key.toString("base64")}`;
const secret = secretText(SECRET);

describe("verifyWebhook", () => {
  it("hands out the event of a delivery that the service signed", async () => {
    const { schema_version: _, ...event } = EVENT;
    expect(await verifyWebhook({ body: BODY, headers: signed(BODY), secret, nowS: NOW_S })).toEqual(event);
    const headers = new Headers(signed(BODY));
    const body = new TextEncoder().encode(BODY);
    expect(await verifyWebhook({ body, headers, secret, nowS: NOW_S + 299 })).toMatchObject({ id: "evt_1" });
  });

  it("takes either secret while one is exchanged for another, and either signature", async () => {
    const other = randomBytes(24);
    const both = `${signed(BODY, { key: other })["webhook-signature"]} ${signed(BODY)["webhook-signature"]}`;
    const headers = { ...signed(BODY), "webhook-signature": both };
    for (const each of [secret, secretText(other), [secretText(randomBytes(24)), secret]])
      expect(await verifyWebhook({ body: BODY, headers, secret: each, nowS: NOW_S })).toMatchObject({
        id: "evt_1",
      });
  });

  it.each([
    ["a body that was changed", { body: BODY.replace("agent", "tools"), headers: signed(BODY) }, "signature"],
    ["the id of another event", { body: BODY, headers: signed(BODY, { id: "evt_2" }) }, "webhook-id"],
    ["another secret", { body: BODY, headers: signed(BODY, { key: randomBytes(24) }) }, "signature"],
    ["an old delivery", { body: BODY, headers: signed(BODY, { atS: NOW_S - 301 }) }, "300 s"],
    ["one from the future", { body: BODY, headers: signed(BODY, { atS: NOW_S + 301 }) }, "300 s"],
    [
      "no signature",
      { body: BODY, headers: { ...signed(BODY), "webhook-signature": undefined } },
      "webhook-signature",
    ],
    ["no JSON", { body: "{", headers: signed("{") }, "body: expected"],
  ])("refuses %s", async (_name, delivery, message) => {
    const verifying = verifyWebhook({ ...delivery, secret, nowS: NOW_S });
    await expect(verifying).rejects.toThrow(SvcWebhookInvalid);
    await expect(verifying).rejects.toThrow(message);
  });

  it("says what a secret looks like", async () => {
    const verifying = verifyWebhook({ body: BODY, headers: signed(BODY), secret: "abc", nowS: NOW_S });
    await expect(verifying).rejects.toThrow("secret: expected whsec_ and Base64");
  });
});
