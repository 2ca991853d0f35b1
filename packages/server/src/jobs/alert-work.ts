import type { ObservedEndpoint } from "@svc/control-plane/alert-facts";
import { AlertWork } from "@svc/control-plane/alert-work";
import type { ComposedControl } from "@svc/http-api/compose-control";
import type { Outbox } from "@svc/outbox/outbox";
import { Gauge } from "prom-client";
import type { ServerParts } from "../start/server-parts.ts";

/** What opens and resolves alerts while this process leads, with its metric. */
export function alertWork(
  { registry }: Pick<ServerParts, "registry">,
  { controlPlane, supervision: { supervised } }: ComposedControl,
  outbox: Pick<Outbox, "lagOf">,
): AlertWork {
  const work = new AlertWork({
    ...controlPlane,
    contained: () => supervised.containedAgents(),
    endpoints: async () => observedEndpoints(controlPlane, outbox),
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
  { webhooks, deliveries }: Pick<ComposedControl["controlPlane"], "webhooks" | "deliveries">,
  outbox: Pick<Outbox, "lagOf">,
): Promise<readonly ObservedEndpoint[]> {
  const all = await webhooks.every();
  if (all.length === 0) return [];
  const dead = await deliveries.deadCounts();
  return all.map(({ org, record: { id, url, disabled_reason: disabledReason } }) => ({
    org,
    id,
    origin: new URL(url).origin,
    lagMs: outbox.lagOf(id),
    dead: dead.get(id) ?? 0,
    disabledReason,
  }));
}
