import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished } from "vitest";
import {
  type RecordedRequest,
  type Responder,
  startRecordingServer,
} from "../../support/adapters/recording-server.ts";
import { send } from "../../support/server/api.ts";

/** Lets a server call receivers on loopback. */
export const RECEIVERS = { SVC_OUTBOUND_ALLOW: "127.0.0.1" };

/** Milliseconds until a delivery must have arrived on a busy machine. */
export const ARRIVES = { timeout: 15_000 };

export const confirms: Responder = (_, response) => void response.writeHead(204).end();

/** What arrived in one delivery, verified. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A receiver on loopback that is registered as an endpoint. */
export interface WebhookReceiver {
  readonly webhookId: string;
  readonly secret: string;
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Every delivery so far. Each has been verified by both signatures. */
  received(): readonly Received[];
  respondWith(responder: Responder): void;
}

/** Starts a receiver, and registers it at the server. */
export async function receiverOf(
  server: { readonly url: string },
  settings: Readonly<Record<string, unknown>> = {},
  responder: Responder = confirms,
): Promise<WebhookReceiver> {
  const recording = await startRecordingServer(responder);
  onTestFinished(() => recording.close());
  const url = `http://127.0.0.1:${String(recording.port)}/in`;
  const body = { url, events: ["*"], ...settings };
  const made = await send("POST", `${server.url}/api/v1/webhooks`, { body });
  expect(made).toMatchObject({ status: 201 });
  const secret = String(made.body["secret"]);
  return {
    webhookId: String(made.body["id"]),
    secret,
    url,
    get requests() {
      return recording.requests;
    },
    received: () => recording.requests.map((request) => verified(request, secret)),
    respondWith: (next) => recording.respondWith(next),
  };
}

function verified({ body, headers }: RecordedRequest, secret: string): Received {
  const event = new Webhook(secret).verify(body, headers as Record<string, string>) as Received;
  const own = createHmac("sha256", secret).update(body).digest("hex");
  expect(headers).toMatchObject({
    "x-svc-event": event.type,
    "x-svc-delivery": expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
    "x-svc-signature-256": `sha256=${own}`,
    "idempotency-key": event.id,
  });
  return event;
}
