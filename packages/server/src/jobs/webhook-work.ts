import { disableWebhook } from "@svc/control-plane/webhooks";
import type { ComposedControl } from "@svc/http-api/compose-control";
import { endpointDestination } from "@svc/outbox/endpoint";
import { Outbox } from "@svc/outbox/outbox";
import { type BackgroundJob, jobOf } from "@svc/process/background-job";
import { systemClock } from "@svc/process/clock";
import { WebhookMetrics } from "../metrics/webhook-metrics.ts";
import type { ServerParts } from "../start/server-parts.ts";
import { LiveEndpoints } from "../webhooks/live-endpoints.ts";
import type { CommonOutboxParts } from "./outbox-parts.ts";

/** Sends the events of the log to the endpoints of webhooks, while this process leads. */
export function webhookJob(
  { store, outbound, secrets, registry, log, news }: WebhookJobParts,
  { controlPlane: ports }: ComposedControl,
  common: CommonOutboxParts,
): BackgroundJob & Pick<Outbox, "lagOf"> {
  const sending = { dialer: outbound, clock: systemClock };
  const live = new LiveEndpoints({ store, secrets, news, clock: systemClock, log });
  const metrics = new WebhookMetrics(registry);
  const outbox = new Outbox({
    ...common,
    endpoints: async () => (await live.read()).map((endpoint) => endpointDestination(sending, endpoint)),
    disable: async (id, reason) => {
      const org = live.orgOf(id);
      if (org !== null) await disableWebhook(ports, org, { id, reason });
    },
    noteAttempt: (outcome) => metrics.attempts.inc({ outcome }),
  });
  metrics.watch(outbox);
  return { ...jobOf("webhooks", outbox), lagOf: (endpointId) => outbox.lagOf(endpointId) };
}

export type WebhookJobParts = Pick<
  ServerParts,
  "store" | "outbound" | "secrets" | "registry" | "log" | "news"
>;
