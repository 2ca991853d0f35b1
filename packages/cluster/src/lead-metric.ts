import { Gauge, type Registry } from "prom-client";

/** Registers whether this process does the work that one process of a database does at a time. */
export function registerLeadMetric(registry: Registry, leads: () => boolean): void {
  new Gauge({
    name: "svc_leads",
    help: "Whether this process does the work that one process of a database does at a time: 1 or 0",
    registers: [registry],
    collect() {
      this.set(leads() ? 1 : 0);
    },
  });
}
