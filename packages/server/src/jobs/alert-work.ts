import type { ObservedEndpoint } from "@svc/control-plane/alert-facts";
import { AlertWork } from "@svc/control-plane/alert-work";
import type { OwnedWebhook } from "@svc/control-plane/webhook-sending";
import type { ComposedControl } from "@svc/http-api/compose-control";
import type { BatchSender } from "@svc/outbox/batch-sender";
import { FreshAnswer } from "@svc/process/fresh-answer";
import { Gauge } from "prom-client";
import type { ServerParts } from "../start/server-parts.ts";
import type { OutboxJob } from "./outbox-job.ts";

interface SendersWatched {
  readonly outbox: Pick<OutboxJob, "lagOf">;
  readonly integrations: Pick<BatchSender, "behind">;
}

/** What opens and resolves alerts while this process leads, with its metric. */
export function alertWork(
  { registry, news }: Pick<ServerParts, "registry" | "news">,
  { controlPlane, supervision: { supervised } }: ComposedControl,
  { outbox, integrations }: SendersWatched,
): AlertWork {
  const every = new FreshAnswer(async () => controlPlane.webhooks.every(), news);
  const work = new AlertWork({
    ...controlPlane,
    contained: () => supervised.containedAgents(),
    endpoints: async () => [
      ...(await observedEndpoints(await every.get(), controlPlane, outbox)),
      ...integrations.behind().map(observedIntegration),
    ],
    news,
  });
  new Gauge({
    name: "svc_alerts_open",
    help: "Alerts that are not resolved, by condition; 0 while another process leads",
    labelNames: ["condition"],
    registers: [registry],
    collect() {
      for (const [condition, count] of Object.entries(work.countOpen())) this.set({ condition }, count);
    },
  });
  return work;
}

async function observedEndpoints(
  all: readonly OwnedWebhook[],
  { deliveries }: Pick<ComposedControl["controlPlane"], "deliveries">,
  outbox: Pick<OutboxJob, "lagOf">,
): Promise<readonly ObservedEndpoint[]> {
  if (all.length === 0) return [];
  const dead = await deliveries.deadCounts();
  return all.map(({ org, record: { id, url, disabled_reason: disabledReason } }) => ({
    kind: "webhook",
    org,
    id,
    origin: new URL(url).origin,
    lagMs: outbox.lagOf(id),
    dead: dead.get(id) ?? 0,
    disabledReason,
  }));
}

/** It has no dead deliveries, and nobody but an operator disables it. */
function observedIntegration(
  behind: ReturnType<SendersWatched["integrations"]["behind"]>[number],
): ObservedEndpoint {
  return { kind: "integration", ...behind, dead: 0, disabledReason: null };
}
