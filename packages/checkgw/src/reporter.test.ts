import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createReporter } from "./reporter.ts";

it("counts from 0 on, so that an alarm sees the first event", async () => {
  const registry = new Registry();
  createReporter({ debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }, registry);
  const lines = (await registry.metrics()).split("\n");
  for (const series of [
    'svc_checkgw_requests_total{path="check",result="fail_closed"}',
    'svc_checkgw_requests_total{path="agentgateway_response",result="fail_closed"}',
    'svc_checkgw_questions_total{path="verdict"}',
    'svc_checkgw_refusals_total{cause="host"}',
  ])
    expect(lines).toContain(`${series} 0`);
});
