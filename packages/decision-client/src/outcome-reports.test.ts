import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createGatewayDocuments } from "./gateway-documents.ts";
import { createOutcomeReports, type Outcome } from "./outcome-reports.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Seen {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

async function start(status: number): Promise<{ seen: Seen[]; url: string }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url, headers } = request;
      seen.push({
        url,
        authorization: headers.authorization,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closing.push(() => server.close());
  return { seen, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/base` };
}

function reportsTo(url: string, onLost: (outcome: Outcome, error: unknown) => void) {
  const gateway = createGatewayDocuments({
    gatewayUrl: new URL(url),
    apiKey: "k",
    orgId: null,
    timeoutMs: 500,
  });
  closing.push(() => gateway.close());
  return createOutcomeReports(gateway, onLost);
}

describe("outcome reports", () => {
  it("tell how calls ended, with the adapter's key", async () => {
    const { seen, url } = await start(200);
    const onLost = vi.fn();
    const reports = reportsTo(url, onLost);
    reports.report({ decisionId: "g.1", status: "succeeded", durationMs: 12.4 });
    reports.report({ decisionId: "g.2", status: "not_executed", durationMs: null });
    await reports.settled();
    const common = { url: "/base/api/v1/gateway/outcome", authorization: "Bearer k" };
    expect(seen).toHaveLength(2);
    expect(seen).toContainEqual({
      ...common,
      body: { decision_id: "g.1", status: "succeeded", duration_ms: 12 },
    });
    expect(seen).toContainEqual({ ...common, body: { decision_id: "g.2", status: "not_executed" } });
    expect(onLost).not.toHaveBeenCalled();
  });

  it.each([
    ["the gateway refuses", (): Promise<string> => start(404).then(({ url }) => url)],
    ["the gateway is gone", () => Promise.resolve("http://127.0.0.1:1")],
  ])("a report is told as lost, and nothing is thrown: %s", async (_, address) => {
    const onLost = vi.fn();
    const reports = reportsTo(await address(), onLost);
    reports.report({ decisionId: "g.1", status: "failed", durationMs: 1 });
    await reports.settled();
    expect(onLost).toHaveBeenCalledWith(expect.objectContaining({ decisionId: "g.1" }), expect.any(Error));
  });

  it("too many at once are told as lost instead of piling up", async () => {
    const waiting: (() => void)[] = [];
    const onLost = vi.fn();
    const send = (): Promise<object> =>
      new Promise((resolve) => {
        waiting.push(() => resolve({}));
      });
    const reports = createOutcomeReports({ send: send as never }, onLost);
    for (let index = 0; index < 300; index += 1) {
      reports.report({ decisionId: `g.${String(index)}`, status: "succeeded", durationMs: 1 });
    }
    expect(onLost).toHaveBeenCalledTimes(300 - waiting.length);
    expect(waiting.length).toBeLessThan(300);
    for (const done of waiting) done();
    await reports.settled();
  });
});
