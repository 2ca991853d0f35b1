import type { Logger } from "@svc/process/logger";
import type { Decision, Verdict } from "@svc/contract/verdict";
import type { Warn } from "@svc/process/limited-warnings";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { UpstreamFailure } from "./upstream/upstream.ts";

/** What sound servers and clients do not do, and what a kill or another owner keeps from being fetched. */
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

/** `fail_closed`: a deny because no verdict could be had. */
export type RuledAs = Decision | "fail_closed";

export function rulingOf(verdict: Verdict): RuledAs {
  return verdict.decision === "deny" && verdict.fail_closed ? "fail_closed" : verdict.decision;
}

/**
 * Why a request goes no further without a verdict. `path`: the closed list does not have it. `access`: Host,
 * Origin, or a circle. `identity`: headers that say who calls. `message`: the body. `killed`: what asks for
 * no answer to an id, under a kill. `reply_unasked`: the answer to a question that no server asked.
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

/** Where operators learn what the proxy did: the log, and counters. */
export interface McpProxyReporter {
  /** @param method of the closed table */
  ruled(method: string, ruling: RuledAs): void;
  upstreamFailed(code: UpstreamFailure["code"]): void;
  found(finding: Finding, details: string): void;
  refused(why: Refused, details: string): void;
  /** Milliseconds from the news of a switch until the call that it stopped was over here. */
  killed(latencyMs: number): void;
  defect(error: unknown): void;
}

/** Longest detail of a report in characters: part of it may have come over the wire. */
const MAX_DETAILS = 200;

const UPSTREAM_FAILED =
  "The MCP server gave no sound answer. Check that it runs and that SVC_MCP_UPSTREAM_URL names it.";

/** Seconds: what is promised is a tenth. */
const KILL_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

export interface ReporterPorts {
  readonly logger: Logger;
  /** For what clients and servers can cause as often as they like. */
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
    help: "Requests judged, by method and what was decided; fail_closed: no verdict could be had",
    labelNames: ["method", "decision"],
    registers,
  });
  const faults = new Counter({
    name: "svc_mcp_upstream_faults_total",
    help: "Requests that the MCP server gave no sound answer to",
    labelNames: ["reason_code"],
    registers,
  });
  const findings = new Counter({
    name: "svc_mcp_findings_total",
    help: "What sound servers and clients do not do, and what is refused for another reason than a verdict",
    labelNames: ["finding"],
    registers,
  });
  const refusals = new Counter({
    name: "svc_mcp_refused_requests_total",
    help: "Requests that go no further without a verdict, by cause; path: none of those that pass",
    labelNames: ["cause"],
    registers,
  });
  for (const finding of FINDINGS) findings.inc({ finding }, 0);
  for (const cause of REFUSED) refusals.inc({ cause }, 0);
  return { rulings, faults, findings, refusals };
}

function createGauges({ registry, runningCalls }: ReporterPorts) {
  const registers = [registry];
  const kills = new Histogram({
    name: "svc_mcp_kill_duration_seconds",
    help: "From the news of a kill switch until the running call that it stopped was over",
    buckets: KILL_BUCKETS,
    registers,
  });
  const defects = new Counter({
    name: "svc_mcp_defects_total",
    help: "Defects of the proxy itself, each answered with an error; alarm on any",
    registers,
  });
  const running: Gauge = new Gauge({
    name: "svc_mcp_running_calls",
    help: "Calls that are judged or run now",
    registers,
    collect: () => running.set(runningCalls()),
  });
  return { kills, defects };
}
