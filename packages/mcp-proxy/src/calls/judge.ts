import type { Decide } from "@svc/contract/decide";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { OutcomeStatus } from "@svc/contract/outcome-status";
import type { Verdict } from "@svc/contract/verdict";
import type { Heartbeats } from "@svc/decision-client/heartbeats";
import type { OutcomeReports } from "@svc/decision-client/outcome-reports";
import { type SessionSources, sessionOfHeaders } from "@svc/tool-calls/mcp-session";
import type { Caller } from "../headers/caller.ts";
import type { KillWatch } from "../kills/kill-watch.ts";
import type { RunningCall } from "../kills/running-calls.ts";
import { type McpProxyReporter, rulingOf } from "../reporter.ts";

/** Reports how an allowed call ended. To be called once at most. */
export type ReportOutcome = (status: OutcomeStatus) => void;

/** The gateway, as the proxy asks it about calls and reports their outcomes to it. */
export interface Judge {
  /**
   * Asks for the verdict on a call, counts it under a label of the closed table of methods, and looks for the
   * kill switch that it names. Never rejects. A kill switch that stopped the call meanwhile does not change
   * an allow: see RunningCall.stopped.
   */
  verdictOn(call: ExecuteRequest, context: JudgeContext): Promise<Verdict>;
  /** Starts to measure an allowed call. */
  beginOutcome(decisionId: string): ReportOutcome;
  /** Says that the client of this session ended it. */
  sessionEnded(caller: Pick<Caller, "agentId"> & SessionSources): void;
}

export interface JudgeContext {
  readonly label: string;
  readonly running: RunningCall;
  /** As the caller sent it, well-formed; undefined: none. */
  readonly traceparent: string | undefined;
}

export interface JudgePorts {
  readonly decide: Decide;
  readonly reports: Pick<OutcomeReports, "report">;
  readonly heartbeats: Pick<Heartbeats, "judged" | "ended">;
  readonly lookForSwitch: KillWatch["lookFor"];
  readonly reporter: Pick<McpProxyReporter, "ruled">;
  readonly monotonicMs: () => number;
}

export function createJudge(ports: JudgePorts): Judge {
  const { decide, reports, heartbeats, lookForSwitch, reporter, monotonicMs } = ports;
  return {
    verdictOn: async (call, { label, running, traceparent }) => {
      const verdict = await decide(call, { signal: running.signal, traceparent });
      reporter.ruled(label, rulingOf(verdict));
      heartbeats.judged(call, verdict);
      if (verdict.decision === "deny" && verdict.kill_switch_id !== undefined)
        lookForSwitch(verdict.kill_switch_id);
      return verdict;
    },
    sessionEnded: (caller) => {
      const { agentId } = caller;
      const sessionId = sessionOfHeaders(caller);
      if (agentId !== null && sessionId !== null) heartbeats.ended({ agentId, sessionId });
    },
    beginOutcome: (decisionId) => {
      const startedMs = monotonicMs();
      return (status) => reports.report({ decisionId, status, durationMs: monotonicMs() - startedMs });
    },
  };
}
