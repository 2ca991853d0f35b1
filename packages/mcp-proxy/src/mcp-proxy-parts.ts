import type { Decide } from "@svc/contract/decide";
import type { OutcomeReports } from "@svc/decision-client/outcome-reports";
import type { KillWatch } from "./kills/kill-watch.ts";
import type { McpProxySettings } from "./mcp-proxy-settings.ts";
import type { Memory } from "./memory/memory.ts";
import type { PendingAnswers } from "./relay/pending-answers.ts";
import type { Logger } from "@svc/process/logger";
import type { McpProxyReporter } from "./reporter.ts";
import type { RunningCalls } from "./kills/running-calls.ts";
import type { Upstream } from "./upstream/upstream.ts";

/** What the proxy is made of. */
export interface McpProxyParts extends Memory {
  readonly settings: McpProxySettings;
  readonly decide: Decide;
  readonly upstream: Upstream;
  readonly running: RunningCalls;
  readonly pending: PendingAnswers;
  readonly killState: KillWatch["stateOf"];
  readonly killHeardOf: KillWatch["heardOf"];
  readonly reports: Pick<OutcomeReports, "report">;
  readonly logger: Logger;
  readonly reporter: McpProxyReporter;
  readonly monotonicMs: () => number;
  /** Our name in Via, of this process alone: who sees it in a request is its own server. */
  readonly pseudonym: string;
}
