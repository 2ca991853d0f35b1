import type { EnvironmentVariable } from "./environment-table.ts";
import { parseOneOf } from "./parsers.ts";

/** Severities of the structured log, least severe first; `silent` logs nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `SVC_LOG_LEVEL`, the same for every binary. */
export const LOG_LEVEL_VARIABLE: EnvironmentVariable<LogLevel> = {
  parse: parseOneOf(LOG_LEVELS),
  fallback: "info",
  defaultText: "info",
  meaning: `least severe log level that is written: ${LOG_LEVELS.join(", ")}`,
};
