import type { webhookRoutes } from "@svc/api/webhook-routes";
import { createWebhook } from "@svc/control-plane/create-webhook";
import {
  getWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from "@svc/control-plane/webhooks";
import type { Handlers } from "./handler.ts";
import { created, found, listed, pageOf } from "./reply-found.ts";

export const webhookHandlers: Handlers<typeof webhookRoutes> = {
  createWebhook: async ({ body }, { ports, principal }) =>
    created("webhooks", await createWebhook(ports, principal, body)),
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
};
