import type { IncomingMessage } from "node:http";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createRefusalLog, QUIET_MS } from "./refusal-log.ts";

const requestFor = (url: string) =>
  ({ method: "GET", url, socket: { remoteAddress: "127.0.0.1" } }) as IncomingMessage;

const REQUEST = requestFor("/v1/nowhere?token=secret");

function setUp() {
  const lines: (readonly [Readonly<Record<string, unknown>>, string])[] = [];
  const timers: { readonly delayMs: number; readonly run: () => void }[] = [];
  const registry = new Registry();
  const note = createRefusalLog({
    log: { warn: (fields, message) => void lines.push([fields, message]) },
    timers: {
      after: (delayMs, run) => {
        timers.push({ delayMs, run });
        return () => undefined;
      },
    },
    registry,
  });
  return { lines, timers, registry, note };
}

// proves OPS-17
it("logs the first refusal of a code at once, and those that follow as one line with a count", async () => {
  const { lines, timers, registry, note } = setUp();
  note({ code: "unauthenticated", requestId: "req_1", request: REQUEST });
  note({ code: "not_found", requestId: "req_2", request: REQUEST });
  for (let n = 0; n < 1_000; n += 1) note({ code: "unauthenticated", requestId: "req_n", request: REQUEST });
  expect(lines).toEqual([
    [
      {
        code: "unauthenticated",
        method: "GET",
        path: '"/v1/nowhere"',
        peer: "127.0.0.1",
        request_id: "req_1",
      },
      "a request was refused",
    ],
    [expect.objectContaining({ code: "not_found", request_id: "req_2" }), "a request was refused"],
  ]);
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([QUIET_MS, QUIET_MS]);
  for (const { run } of timers) run();
  expect(lines.slice(2)).toEqual([
    [{ code: "unauthenticated", count: 1_000, seconds: 10 }, "more requests were refused"],
  ]);
  note({ code: "unauthenticated", requestId: "req_3", request: REQUEST });
  expect(lines.at(-1)?.[0]).toMatchObject({ request_id: "req_3" });
  const metrics = await registry.metrics();
  expect(metrics).toContain('svc_http_refused_requests_total{code="unauthenticated"} 1002');
  expect(metrics).toContain('svc_http_refused_requests_total{code="not_found"} 1');
});

it("repeats neither a query nor control characters of a path", () => {
  const { lines, note } = setUp();
  const request = requestFor(`/v1/${"x".repeat(5_000)}\u001b[2J?key=secret`);
  note({ code: "not_found", requestId: null, request });
  expect(JSON.stringify(lines)).not.toMatch(/secret|\\u001b\[/);
  expect(JSON.stringify(lines).length).toBeLessThan(400);
});
