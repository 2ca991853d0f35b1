import { Registry } from "prom-client";
import { createSparseLog } from "../sparse-log.ts";
import { createReporter, type Finding, type McpProxyLogger, type McpProxyReporter } from "../reporter.ts";

/** The real reporter, and what it was told. */
export interface Recording {
  readonly reporter: McpProxyReporter;
  readonly logger: McpProxyLogger;
  readonly found: Finding[];
  readonly defects: unknown[];
  metrics(): Promise<string>;
}

export function recordReports(runningCalls: () => number): Recording {
  const found: Finding[] = [];
  const defects: unknown[] = [];
  const registry = new Registry();
  const logger = { debug: () => {}, warn: () => {}, error: (fields: object) => defects.push(fields) };
  const sparseLog = createSparseLog({ warn: () => {}, monotonicMs: () => 0 });
  const counting = createReporter({ logger, sparseLog, registry, runningCalls });
  const reporter: McpProxyReporter = {
    ...counting,
    found: (finding, details) => {
      found.push(finding);
      counting.found(finding, details);
    },
  };
  return { reporter, logger, found, defects, metrics: () => registry.metrics() };
}
