import type { EnvironmentVariable } from "./environment-table.ts";
import { parseOneOf } from "./parsers.ts";

/** How log lines are written: `auto` is text on a terminal and JSON elsewhere. */
const LOG_FORMATS = ["auto", "text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** `SVC_LOG_FORMAT`, the same for every binary. */
export const LOG_FORMAT_VARIABLE: EnvironmentVariable<LogFormat> = {
  parse: parseOneOf(LOG_FORMATS),
  fallback: "auto",
  defaultText: "auto",
  meaning: "form of log lines: text is for people, json for programs; auto is text on a terminal, else json",
};
