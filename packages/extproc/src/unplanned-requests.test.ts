import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createReporter } from "./reporter.ts";
import { parseRouteTable } from "./routes/parse-route-table.ts";
import { ALLOW, playCall, requestHeaders } from "./testing/play-call.ts";

const table = parseRouteTable("routes: [{ path: /mcp, shape: mcp }]");

// proves XPR-30
it.each([
  [{ ":path": "/orders/7?card=4111" }, "unmatched POST /orders/7"],
  [{ ":path": "/mcp", "x-svc-agent-id": "" }, "malformed POST /mcp"],
  [{ ":path": "/mcp", "x-http-method-override": "DELETE" }, "malformed POST /mcp"],
])("a request that is refused before any of it is judged is counted by its cause: %j", (headers, noted) => {
  const call = playCall(() => Promise.resolve(ALLOW), { table });
  call.send(requestHeaders({ headers }));
  expect(call.unplanned).toEqual([noted]);
  expect(call.sent).toMatchObject([{ name: "immediate_response" }]);
});

// proves XPR-30
it("is a metric and a warning, without the query", async () => {
  const registry = new Registry();
  const lines: unknown[] = [];
  const warn = (fields: object, message: string): void => void lines.push([fields, message]);
  const reporter = createReporter({ debug: () => {}, info: () => {}, warn, error: () => {} }, registry);
  for (let times = 0; times < 3; times += 1)
    reporter.unplanned("unmatched", "No route.", { method: "POST", path: "/orders" });
  const noted = { cause: "unmatched", method: "POST", path: "/orders" };
  expect(lines).toEqual([[noted, "request refused: No route."]]);
  expect(await registry.metrics()).toContain('svc_extproc_refused_requests_total{cause="unmatched"} 3');
});
