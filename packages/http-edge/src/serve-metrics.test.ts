import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOOPBACK_NAMES } from "./host-check.ts";
import { type MetricsSource, serveMetrics } from "./serve-metrics.ts";

const warned: string[] = [];
const LISTENER = {
  variable: "SVC_THING_METRICS_LISTEN",
  names: { names: LOOPBACK_NAMES, variable: "SVC_THING_ALLOWED_HOSTS" },
  log: { warn: (...line: readonly unknown[]) => void warned.push(JSON.stringify(line)) },
};
const ADDRESS = { host: "127.0.0.1", port: 0 };

async function urlFor(metrics: MetricsSource["metrics"]): Promise<string> {
  const listening = await serveMetrics(
    ADDRESS,
    { contentType: "text/plain; version=0.0.4", metrics },
    LISTENER,
  );
  onTestFinished(() => listening?.close(0));
  return listening?.url ?? "";
}

describe("metrics over HTTP", () => {
  it("are nowhere unless asked for", async () => {
    expect(await serveMetrics(null, { contentType: "", metrics: async () => "" }, LISTENER)).toBeNull();
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

  // proves TLS-06
  it("warn where other machines reach them over plain HTTP, but not of a container's address", async () => {
    const source = { contentType: "", metrics: async () => "" };
    const own = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
    for (const host of ["127.0.0.1", "0.0.0.0", ...(own === undefined ? [] : [own])]) {
      warned.length = 0;
      const listening = await serveMetrics({ host, port: 0 }, source, LISTENER);
      await listening?.close(0);
      expect([host, warned.length]).toEqual([host, host === own ? 1 : 0]);
      if (host === own) expect(warned[0]).toMatch(/SVC_THING_METRICS_LISTEN.*plain HTTP/);
    }
  });

  it("that cannot be collected are 500", async () => {
    const url = await urlFor(() => Promise.reject(new Error("no")));
    expect((await fetch(`${url}/metrics`)).status).toBe(500);
  });
});
