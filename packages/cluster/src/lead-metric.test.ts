import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { registerLeadMetric } from "./lead-metric.ts";

it("says at each scrape whether the process leads", async () => {
  const registry = new Registry();
  let leads = false;
  registerLeadMetric(registry, () => leads);
  const value = async () => (await registry.metrics()).split("\n").filter((line) => line.startsWith("svc"));
  expect(await value()).toEqual(["svc_leads 0"]);
  leads = true;
  expect(await value()).toEqual(["svc_leads 1"]);
});
