import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createReporter } from "./reporter.ts";

it("an unreachable MCP server is logged as a warning, not only counted", async () => {
  const lines: unknown[] = [];
  const registry = new Registry();
  const reporter = createReporter({
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    warn: (kind, fields, message) => lines.push([kind, fields, message]),
    registry,
    runningCalls: () => 0,
  });
  reporter.upstreamFailed("upstream_unreachable");
  expect(lines).toEqual([
    [
      "upstream upstream_unreachable",
      { reason_code: "upstream_unreachable" },
      expect.stringContaining("SVC_MCP_UPSTREAM_URL"),
    ],
  ]);
  expect(await registry.metrics()).toContain(
    'svc_mcp_upstream_faults_total{reason_code="upstream_unreachable"} 1',
  );
});
