import { describe, expect, it, onTestFinished } from "vitest";
import { type MetricsSource, serveMetrics } from "./serve-metrics.ts";

const ADDRESS = { host: "127.0.0.1", port: 0 };

async function urlFor(metrics: MetricsSource["metrics"]): Promise<string> {
  const listening = await serveMetrics(ADDRESS, { contentType: "text/plain; version=0.0.4", metrics });
  onTestFinished(() => listening?.close(0));
  return listening?.url ?? "";
}

describe("metrics over HTTP", () => {
  it("are nowhere unless asked for", async () => {
    expect(await serveMetrics(null, { contentType: "", metrics: async () => "" })).toBeNull();
  });

  it("/metrics is the text, /healthz says that it runs, all else is 404", async () => {
    const url = await urlFor(async () => "calls_total 1\n");
    const metrics = await fetch(`${url}/metrics`);
    expect([metrics.status, metrics.headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4"]);
    expect(await metrics.text()).toBe("calls_total 1\n");
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok" });
    expect((await fetch(`${url}/`)).status).toBe(404);
  });

  it("that cannot be collected are 500", async () => {
    const url = await urlFor(() => Promise.reject(new Error("no")));
    expect((await fetch(`${url}/metrics`)).status).toBe(500);
  });
});
