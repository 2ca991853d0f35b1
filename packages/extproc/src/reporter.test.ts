import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createReporter } from "./reporter.ts";

it("counts from 0 on, so that an alarm sees the first event", async () => {
  const registry = new Registry();
  createReporter({ debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }, registry);
  const lines = (await registry.metrics()).split("\n");
  for (const series of [
    'svc_extproc_rulings_total{direction="response",ruling="deny"}',
    'svc_extproc_findings_total{finding="headers_skipped"}',
    'svc_extproc_refused_requests_total{cause="unmatched"}',
    'svc_extproc_refused_requests_total{cause="shutdown"}',
  ])
    expect(lines).toContain(`${series} 0`);
});
