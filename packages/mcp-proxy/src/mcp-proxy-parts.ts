import type { Decide } from "@svc/decision-client/decision-client";
import type { KillWatch } from "./kill-watch.ts";
import type { McpProxySettings } from "./mcp-proxy-settings.ts";
import type { OutcomeReports } from "./outcome-reports.ts";
import type { RunningCalls } from "./running.ts";
import type { Sessions } from "./sessions.ts";
import type { ToolMirrors } from "./tool-mirrors.ts";
import type { Upstream } from "./upstream.ts";

export interface McpProxyLogger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the proxy is made of. */
export interface McpProxyParts {
  readonly settings: McpProxySettings;
  readonly decide: Decide;
  readonly upstream: Upstream;
  readonly running: RunningCalls;
  readonly sessions: Sessions;
  readonly mirrors: ToolMirrors;
  readonly killState: KillWatch["stateOf"];
  readonly reports: Pick<OutcomeReports, "report">;
  readonly logger: McpProxyLogger;
  readonly monotonicMs: () => number;
  /** Our name in Via, of this process alone: who sees it in a request is its own server. */
  readonly pseudonym: string;
}
