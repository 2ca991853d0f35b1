import type { Judge } from "./calls/judge.ts";
import type { KillStates } from "./kills/kill-state.ts";
import type { RunningCalls } from "./kills/running-calls.ts";
import type { Memory } from "./memory/memory.ts";
import type { PendingAnswers } from "./relay/pending-answers.ts";
import type { Reporting } from "./reporting.ts";
import type { McpServer } from "./upstream/mcp-server.ts";

/** What judges: the gateway's verdicts, its kill switches, and the running calls that these stop. */
export interface Judging extends KillStates {
  readonly judge: Judge;
  readonly running: RunningCalls;
}

/**
 * What sends: requests to the MCP server, and an answer to every client that still waits when
 * the proxy stops.
 */
export interface Sending {
  readonly server: McpServer;
  readonly pending: PendingAnswers;
}

/**
 * All that the proxy is made of: what judges, what remembers, what sends and what reports. Only the entry
 * points see it whole. Each function below them names the ports, or the members of a port, that it uses.
 */
export interface McpProxyParts extends Judging, Memory, Sending, Reporting {}
