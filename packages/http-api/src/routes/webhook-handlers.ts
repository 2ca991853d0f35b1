import type { webhookDeliveryRoutes } from "@svc/api/webhook-delivery-routes";
import type { webhookRoutes } from "@svc/api/webhook-routes";
import { createWebhook, tryWebhook } from "@svc/control-plane/create-webhook";
import { replayDelivery, replayWebhook, tryReplay } from "@svc/control-plane/replay-webhook";
import { listWebhookDeliveries, testWebhook } from "@svc/control-plane/webhook-deliveries";
import {
  getWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from "@svc/control-plane/webhooks";
import type { Handlers } from "./handler.ts";
import { accepted, created, found, listed, pageOf } from "./reply-found.ts";

export const webhookHandlers: Handlers<typeof webhookRoutes & typeof webhookDeliveryRoutes> = {
  createWebhook: async ({ query, body }, { ports, principal }) =>
    query.dry_run
      ? found(await tryWebhook(ports, principal, body))
      : created("webhooks", await createWebhook(ports, principal, body)),
  listWebhooks: async ({ query }, { ports, principal }) =>
    listed("webhooks", await listWebhooks(ports, principal, pageOf(query))),
  getWebhook: async ({ params }, { ports, principal }) =>
    found(await getWebhook(ports, principal, params.webhook_id)),
  updateWebhook: async ({ params, body: update }, { ports, principal }) =>
    found(await updateWebhook(ports, principal, { id: params.webhook_id, update })),
  deleteWebhook: async ({ params }, { ports, principal }) =>
    found(await removeWebhook(ports, principal, params.webhook_id)),
  rotateWebhookSecret: async ({ params, body }, { ports, principal }) =>
    found(await rotateWebhookSecret(ports, principal, { id: params.webhook_id, ...body })),
  testWebhook: async ({ params, body }, { ports, principal }) =>
    found(await testWebhook(ports, principal, { id: params.webhook_id, type: body.event })),
  listWebhookDeliveries: async ({ params, query }, { ports, principal }) => {
    const asked = { status: query.status ?? null, sinceMs: query.since ?? 0, page: pageOf(query) };
    const outcome = await listWebhookDeliveries(ports, principal, { id: params.webhook_id, ...asked });
    return listed("deliveries", outcome);
  },
  replayDelivery: async ({ params }, { ports, principal }) =>
    accepted(await replayDelivery(ports, principal, params.delivery_id)),
  replayWebhook: async ({ params, query, body }, { ports, principal }) => {
    const asked = { id: params.webhook_id, ...body };
    return query.dry_run
      ? found(await tryReplay(ports, principal, asked))
      : accepted(await replayWebhook(ports, principal, asked));
  },
};
