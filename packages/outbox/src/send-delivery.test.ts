import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { sampleWebhookEvent } from "@svc/contract/webhook-event";
import { OutboundDialer } from "@svc/outbound/outbound-dialer";
import { systemClock } from "@svc/process/clock";
import { Webhook } from "standardwebhooks";
import { expect, it, onTestFinished } from "vitest";
import { sendDelivery } from "./send-delivery.ts";
import { endpointOf } from "./testing/endpoint-of.ts";

const event = sampleWebhookEvent("policy.decision", {
  id: "evt_gw-1",
  timestamp: "2026-11-22T09:00:00.000Z",
  org_id: "acme",
});
const DELIVERY = { id: "dlv_1", event, row: { logId: "gw", seq: 1 }, attempts: 0 };

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends the delivery to a receiver that answers so. @returns the outcome, and what the receiver got */
async function sendTo({ status, headers = {}, body = "" }: Answer) {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    void request
      .setEncoding("utf8")
      .toArray()
      .then((pieces) => {
        got.push({ headers: request.headers, body: pieces.join("") });
        response.writeHead(status, headers).end(body);
      });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const dialer = new OutboundDialer({ rules: { allow: [], allowPrivate: true }, authorities: [] });
  onTestFinished(async () => {
    await dialer.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/in`;
  const outcome = await sendDelivery({ dialer, clock: systemClock }, endpointOf({ url }), DELIVERY);
  return { outcome, got };
}

it("sends the event signed, so that a stock library verifies it", async () => {
  const { outcome, got } = await sendTo({ status: 204 });
  expect(outcome).toMatchObject({ kind: "delivered", status: 204, fault: null });
  const [request] = got;
  const [secret] = endpointOf().secrets;
  const headers = { ...request?.headers } as Record<string, string>;
  expect(new Webhook(secret).verify(request?.body ?? "", headers)).toEqual(event);
  expect(headers).toMatchObject({ "x-svc-event": "policy.decision", "x-svc-delivery": "dlv_1" });
});

it.each<[answer: Answer, outcome: object]>([
  [{ status: 200, body: "x".repeat(100_000) }, { kind: "delivered" }],
  [
    { status: 302, headers: { location: "http://169.254.169.254/" } },
    { kind: "failed", status: 302 },
  ],
  [
    { status: 410, body: "no more" },
    { kind: "gone", answer: "no more" },
  ],
  [
    { status: 503, headers: { "retry-after": "120" } },
    { kind: "failed", retryAfterMs: 120_000 },
  ],
  [
    { status: 429, headers: { "retry-after": "soon" } },
    { kind: "failed", retryAfterMs: null },
  ],
  [
    { status: 500, body: "x".repeat(5_000) },
    { kind: "failed", answer: "x".repeat(1_024) },
  ],
  // No half of a character, and no NUL, which PostgreSQL refuses.
  [
    { status: 500, body: `a\0${"\u20ac".repeat(341)}` },
    { kind: "failed", answer: `a\ufffd${"\u20ac".repeat(340)}` },
  ],
])("reads the answer %j", async (answer, wanted) => {
  const { outcome, got } = await sendTo(answer);
  expect(outcome).toMatchObject(wanted);
  expect(got).toHaveLength(1);
});

it("waits until the time that the receiver names", async () => {
  const at = new Date(Date.now() + 3_600_000).toUTCString();
  const { outcome } = await sendTo({ status: 503, headers: { "retry-after": at } });
  expect(outcome.retryAfterMs).toBeGreaterThan(3_500_000);
});

it("says why nothing was sent", async () => {
  const dialer = new OutboundDialer({ rules: { allow: [], allowPrivate: false }, authorities: [] });
  onTestFinished(() => dialer.close());
  const endpoint = endpointOf({ url: "http://169.254.169.254/latest/meta-data" });
  const outcome = await sendDelivery({ dialer, clock: systemClock }, endpoint, DELIVERY);
  expect(outcome).toMatchObject({
    kind: "failed",
    status: null,
    fault: expect.stringContaining("never calls"),
  });
});
