import type { Decision, RefusalVerdict, Verdict } from "@svc/contract/verdict";
import type { Warn } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { UPSTREAM_FAILURES, type UpstreamFailure } from "./upstream/upstream.ts";

/**
 * Conduct that well-behaved servers and clients do not show, and attempts to fetch what a caller
 * may not have.
 */
export const FINDINGS = [
  "server_request",
  "server_answer_unasked",
  "server_message_unreadable",
  "tool_changed",
  "task_unknown",
  "resumption_refused",
  "session_foreign",
] as const;
export type Finding = (typeof FINDINGS)[number];

/** A verdict as it is counted. `fail_closed`: a deny because the gateway gave no verdict. */
export type RuledAs = Decision | "fail_closed";

const RULED_AS: readonly RuledAs[] = ["allow", "deny", "pause", "fail_closed"];

export function rulingOf(verdict: Verdict): RuledAs {
  return verdict.decision === "deny" && verdict.fail_closed ? "fail_closed" : verdict.decision;
}

/**
 * Why a request is refused without a verdict. `path`: not in the closed list. `access`: Host, Origin, or a
 * loop. `identity`: the headers that say who calls. `message`: the body. `killed`: a kill switch covers
 * something other than a request with an id. `reply_unasked`: an answer to a question that no server asked.
 */
export const REFUSED = [
  "path",
  "method",
  "access",
  "identity",
  "message",
  "killed",
  "reply_unasked",
] as const;
export type Refused = (typeof REFUSED)[number];

/** Tells operators what the proxy did, in the log and in metrics. */
export interface McpProxyReporter {
  /** @param method of the closed table of methods */
  ruled(method: string, ruling: RuledAs): void;
  /** Logs a call that does not run. It is counted by ruled. */
  refusedCall(method: string, refusal: RefusalVerdict): void;
  /** The server speaks the old transport, HTTP+SSE of 2024-11-05. */
  refusedTransport(): void;
  upstreamFailed(code: UpstreamFailure["code"]): void;
  found(finding: Finding, details: string): void;
  refused(why: Refused, details: string): void;
  /** @param latencyMs from the news of a kill switch until the call that it stopped was over */
  killed(latencyMs: number): void;
  defect(error: unknown): void;
}

/** Longest detail of a report in characters. Part of it may come from a client or a server. */
const MAX_DETAILS = 200;

const UPSTREAM_FAILED =
  "The MCP server gave no valid answer. Check that it runs and that SVC_MCP_UPSTREAM_URL names it.";

/** Seconds. The promise is 0.1 s. */
const KILL_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

export interface ReporterPorts {
  readonly logger: Logger;
  /** A limited log, for what clients and servers can cause as often as they like. */
  readonly warn: Warn;
  readonly registry: Registry;
  readonly runningCalls: () => number;
}

export function createReporter(ports: ReporterPorts): McpProxyReporter {
  const { logger, warn } = ports;
  const counted = createCounters(ports.registry);
  const { kills, defects } = createGauges(ports);
  return {
    ruled: (method, decision) => counted.rulings.inc({ method, decision }),
    refusedCall: (method, { decision, reason_code, decision_id }) =>
      logger.debug({ decision, reason_code, decision_id, method }, "a call does not run"),
    refusedTransport: () =>
      warn("old transport", {}, "the MCP server speaks HTTP+SSE of 2024-11-05, which is not carried"),
    upstreamFailed: (code) => {
      counted.faults.inc({ reason_code: code });
      warn(`upstream ${code}`, { reason_code: code }, UPSTREAM_FAILED);
    },
    found: (finding, details) => {
      counted.findings.inc({ finding });
      warn(finding, { finding }, details.slice(0, MAX_DETAILS));
    },
    refused: (cause, details) => {
      counted.refusals.inc({ cause });
      warn(`refused ${cause}`, { cause }, `a request is refused: ${details.slice(0, MAX_DETAILS)}`);
    },
    killed: (latencyMs) => kills.observe(latencyMs / 1_000),
    defect: (error) => {
      defects.inc();
      logger.error({ err: error }, "a request failed");
    },
  };
}

function createCounters(registry: Registry) {
  const registers = [registry];
  const rulings = new Counter({
    name: "svc_mcp_rulings_total",
    help: "Judged requests by method and decision; fail_closed: the gateway gave no verdict",
    labelNames: ["method", "decision"],
    registers,
  });
  const faults = new Counter({
    name: "svc_mcp_upstream_faults_total",
    help: "Requests that the MCP server did not answer, or answered with something invalid",
    labelNames: ["reason_code"],
    registers,
  });
  const findings = new Counter({
    name: "svc_mcp_findings_total",
    help: "Conduct that well-behaved servers and clients do not show, and refused fetches",
    labelNames: ["finding"],
    registers,
  });
  const refusals = new Counter({
    name: "svc_mcp_refused_requests_total",
    help: "Requests refused without a verdict, by cause; path: not in the closed list",
    labelNames: ["cause"],
    registers,
  });
  // An alarm on a counter needs its initial zero.
  for (const decision of RULED_AS) rulings.inc({ method: "tools/call", decision }, 0);
  for (const reason_code of UPSTREAM_FAILURES) faults.inc({ reason_code }, 0);
  for (const finding of FINDINGS) findings.inc({ finding }, 0);
  for (const cause of REFUSED) refusals.inc({ cause }, 0);
  return { rulings, faults, findings, refusals };
}

function createGauges({ registry, runningCalls }: ReporterPorts) {
  const registers = [registry];
  const kills = new Histogram({
    name: "svc_mcp_kill_duration_seconds",
    help: "Seconds from the news of a kill switch until the running call that it stopped was over",
    buckets: KILL_BUCKETS,
    registers,
  });
  const defects = new Counter({
    name: "svc_mcp_defects_total",
    help: "Defects of the proxy itself, each answered with an error; alert on any",
    registers,
  });
  const running: Gauge = new Gauge({
    name: "svc_mcp_running_calls",
    help: "Calls that are judged or executed now",
    registers,
    collect: () => running.set(runningCalls()),
  });
  return { kills, defects };
}
