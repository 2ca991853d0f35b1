import type { RefusalVerdict } from "@svc/contract/verdict";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";
import { Counter, type Registry } from "prom-client";
import {
  REPORT_NAMES,
  type ReportName,
  type Ruling,
  STREAM_REFUSALS,
  type StreamRefusal,
} from "./stream/stream-state.ts";
import type { Direction } from "./wire/processing-request.ts";

/** Reports what the adapter did to operators, in the log and in counters. */
export interface Reporter {
  ruled(direction: Direction, ruling: Ruling): void;
  /** Reports something that a correctly configured proxy does not do. */
  found(name: ReportName, details: string): void;
  /** A request that is refused before any of it is judged. */
  unplanned(cause: UnplannedCause, reason: string, target: UnplannedTarget): void;
  /** A request that its stream refused without a ruling. */
  refused(cause: StreamRefusal, verdict: RefusalVerdict): void;
  defect(error: unknown): void;
}

/**
 * `unmatched`: no route of the table matches; `agent_unknown`: no agent is named; `malformed`:
 * all other causes.
 */
export const UNPLANNED_CAUSES = ["unmatched", "agent_unknown", "malformed"] as const;
export type UnplannedCause = (typeof UNPLANNED_CAUSES)[number];

export interface UnplannedTarget {
  readonly method: string;
  readonly path: string;
}

const DIRECTIONS: readonly Direction[] = ["request", "response"];

/** How a ruling is counted. */
const RULINGS = ["allow", "ungoverned", "deny", "pause"] as const;

/** Longest detail of a report in characters. Part of it may come from the client. */
const MAX_DETAILS = 200;

export function createReporter(logger: Logger, registry: Registry): Reporter {
  const rulings = new Counter({
    name: "svc_extproc_rulings_total",
    help: "Judged messages, by direction and ruling",
    labelNames: ["direction", "ruling"],
    registers: [registry],
  });
  const findings = new Counter({
    name: "svc_extproc_findings_total",
    help: "Streams that a correctly configured proxy does not open; alarm on any",
    labelNames: ["finding"],
    registers: [registry],
  });
  const defects = new Counter({
    name: "svc_extproc_defects_total",
    help: "Defects of the adapter itself, each answered with a deny",
    registers: [registry],
  });
  const refusals = new Counter({
    name: "svc_extproc_refused_requests_total",
    help: "Requests refused before any of them was judged; unmatched: no route of the table",
    labelNames: ["cause"],
    registers: [registry],
  });
  // An alarm on a counter needs its initial zero.
  for (const direction of DIRECTIONS) for (const ruling of RULINGS) rulings.inc({ direction, ruling }, 0);
  for (const finding of REPORT_NAMES) findings.inc({ finding }, 0);
  for (const cause of [...UNPLANNED_CAUSES, ...STREAM_REFUSALS]) refusals.inc({ cause }, 0);
  const warn = createLimitedWarnings(logger);
  return {
    ruled: (direction, ruling) => {
      const kind = ruling.kind === "release" ? ruling.mark : ruling.verdict.decision;
      rulings.inc({ direction, ruling: kind });
      const verdict = ruling.kind === "refuse" ? ruling.verdict : null;
      // Neither headers nor body: they hold the arguments of the call.
      const { decision_id: decisionId, reason_code: reasonCode } = verdict ?? {};
      logger.debug({ direction, ruling: kind, reason_code: reasonCode, decision_id: decisionId }, "judged");
    },
    found: (name, details) => {
      findings.inc({ finding: name });
      warn(name, { finding: name }, details.slice(0, MAX_DETAILS));
    },
    unplanned: (cause, reason, { method, path }) => {
      refusals.inc({ cause });
      const target = { method: method.slice(0, MAX_DETAILS), path: path.slice(0, MAX_DETAILS) };
      warn(`refused ${cause}`, { cause, ...target }, `request refused: ${reason}`);
    },
    refused: (cause, { reason }) => {
      refusals.inc({ cause });
      warn(`refused ${cause}`, { cause }, `request refused: ${reason.slice(0, MAX_DETAILS)}`);
    },
    defect: (error) => {
      defects.inc();
      logger.error({ err: error }, "a stream failed; its request is denied");
    },
  };
}
