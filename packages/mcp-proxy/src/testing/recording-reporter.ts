import { Registry } from "prom-client";
import { createReporter, type Finding, type McpProxyReporter } from "../reporter.ts";

/** The real reporter, with a record of its calls. */
export interface Recording {
  readonly reporter: McpProxyReporter;
  readonly found: Finding[];
  readonly defects: unknown[];
  metrics(): Promise<string>;
}

export function recordReports(runningCalls: () => number): Recording {
  const found: Finding[] = [];
  const defects: unknown[] = [];
  const registry = new Registry();
  const logger = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields: object) => defects.push(fields),
  };
  const counting = createReporter({ logger, warn: () => {}, registry, runningCalls });
  const reporter: McpProxyReporter = {
    ...counting,
    found: (finding, details) => {
      found.push(finding);
      counting.found(finding, details);
    },
  };
  return { reporter, found, defects, metrics: () => registry.metrics() };
}
