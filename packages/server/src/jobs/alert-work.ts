import { AlertWork } from "@svc/control-plane/alert-work";
import type { ComposedControl } from "@svc/http-api/compose-control";
import { Gauge } from "prom-client";
import type { ServerParts } from "../start/server-parts.ts";

/** What opens and resolves alerts while this process leads, with its metric. */
export function alertWork(
  { registry }: Pick<ServerParts, "registry">,
  { controlPlane, supervision: { supervised } }: ComposedControl,
): AlertWork {
  const work = new AlertWork({ ...controlPlane, contained: () => supervised.containedAgents() });
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
