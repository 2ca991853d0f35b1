import type { IncomingMessage } from "node:http";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createRefusalLog } from "./refusal-log.ts";

const requestFor = (url: string) =>
  ({ method: "GET", url, socket: { remoteAddress: "127.0.0.1" } }) as IncomingMessage;

const REQUEST = requestFor("/v1/nowhere?token=secret");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const lines: object[] = [];
  const registry = new Registry();
  const line = (fields: object, message?: string) => void lines.push({ ...fields, message });
  const warn = createLimitedWarnings({ warn: line });
  const clock = { nowMs: () => 0 };
  return { lines, registry, note: createRefusalLog({ warn, log: { info: line }, clock, registry }) };
}

// proves OPS-17
it("logs the first refusal of a code at once, and those that follow as one line with a count", async () => {
  const { lines, registry, note } = setUp();
  note({ code: "unauthenticated", requestId: "req_1", request: REQUEST });
  note({ code: "not_found", requestId: "req_2", request: REQUEST });
  for (let n = 0; n < 1_000; n += 1) note({ code: "unauthenticated", requestId: "req_n", request: REQUEST });
  const from = { method: "GET", path: '"/v1/nowhere"', peer: "127.0.0.1", message: "a request was refused" };
  expect(lines).toEqual([
    { code: "unauthenticated", ...from, request_id: "req_1" },
    { code: "not_found", ...from, request_id: "req_2" },
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toEqual([{ code: "unauthenticated", ...from, request_id: "req_n", count: 1_000 }]);
  const metrics = await registry.metrics();
  expect(metrics).toContain('svc_http_refused_requests_total{code="unauthenticated"} 1001');
  expect(metrics).toContain('svc_http_refused_requests_total{code="not_found"} 1');
});

// proves OPS-68
it("logs each refused input by the id in its answer, until one key sends too many", () => {
  const { lines, note } = setUp();
  const refused = { code: "invalid_policy", request: REQUEST } as const;
  const ada = { org: "org-1", id: "ada" };
  for (let n = 0; n < 300; n += 1) note({ ...refused, requestId: `req_${String(n)}`, principal: ada });
  const found = lines.map((line) => (line as { request_id?: string }).request_id);
  // The last of these is a warning, which counts the rest.
  expect(found).toEqual(Array.from({ length: 201 }, (_, n) => `req_${String(n)}`));
  expect(lines[0]).toMatchObject({ key_id: "ada", message: "the input of a request was refused" });
  note({ ...refused, requestId: "req_other", principal: { org: "org-2", id: "ada" } });
  expect(lines.at(-1)).toMatchObject({ request_id: "req_other" });
});

it("counts from 0 on, so that an alarm sees the first refusal", async () => {
  const { registry } = setUp();
  expect(await registry.metrics()).toContain('svc_http_refused_requests_total{code="unauthenticated"} 0');
});

it("repeats neither a query nor control characters of a path", () => {
  const { lines, note } = setUp();
  const request = requestFor(`/v1/${"x".repeat(5_000)}\u001b[2J?key=secret`);
  note({ code: "not_found", requestId: null, request });
  expect(JSON.stringify(lines)).not.toMatch(/secret|\\u001b\[/);
  expect(JSON.stringify(lines).length).toBeLessThan(400);
});
