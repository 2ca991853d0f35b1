import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOOPBACK_NAMES } from "./host-check.ts";
import { type MetricsSource, serveMetrics } from "./serve-metrics.ts";

const NAMES = { names: LOOPBACK_NAMES, variable: "SVC_THING_ALLOWED_HOSTS" };
const ADDRESS = { host: "127.0.0.1", port: 0 };

async function urlFor(metrics: MetricsSource["metrics"]): Promise<string> {
  const listening = await serveMetrics(ADDRESS, { contentType: "text/plain; version=0.0.4", metrics }, NAMES);
  onTestFinished(() => listening?.close(0));
  return listening?.url ?? "";
}

describe("metrics over HTTP", () => {
  it("are nowhere unless asked for", async () => {
    expect(await serveMetrics(null, { contentType: "", metrics: async () => "" }, NAMES)).toBeNull();
  });

  it("/metrics is the text, /healthz says that it runs, all else is 404", async () => {
    const url = await urlFor(async () => "calls_total 1\n");
    const metrics = await fetch(`${url}/metrics`);
    expect([metrics.status, metrics.headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4"]);
    expect(await metrics.text()).toBe("calls_total 1\n");
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok" });
    expect((await fetch(`${url}/`)).status).toBe(404);
  });

  // proves OPS-34
  it.each(["/metrics", "/healthz"])(
    "%s is 403 under a foreign Host, which names the variable",
    async (path) => {
      const { port } = new URL(await urlFor(async () => "calls_total 1\n"));
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), "127.0.0.1", () =>
          socket.write(`GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`),
        );
        let text = "";
        socket.on("data", (chunk) => (text += String(chunk)));
        socket.on("error", reject);
        socket.on("close", () => resolve(text));
      });
      expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*host_not_allowed[^]*SVC_THING_ALLOWED_HOSTS/);
      expect(answer).not.toContain("calls_total");
    },
  );

  it("that cannot be collected are 500", async () => {
    const url = await urlFor(() => Promise.reject(new Error("no")));
    expect((await fetch(`${url}/metrics`)).status).toBe(500);
  });
});
