import { createLimitedWarnings } from "@svc/environment/limited-warnings";
import { Counter, type Registry } from "prom-client";
import type { ReportName, Ruling } from "./stream/stream-state.ts";
import type { Direction } from "./wire/processing-request.ts";

export interface ExtprocLogger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Where operators learn what the adapter did: the log, and counters. */
export interface Reporter {
  ruled(direction: Direction, ruling: Ruling): void;
  /** Something that a sound and rightly configured proxy does not do. */
  found(name: ReportName, details: string): void;
  defect(error: unknown): void;
}

/** Longest detail of a report in characters: part of it may have come over the wire. */
const MAX_DETAILS = 200;

export function createReporter(logger: ExtprocLogger, registry: Registry): Reporter {
  const rulings = new Counter({
    name: "svc_extproc_rulings_total",
    help: "Messages judged, by what became of them",
    labelNames: ["direction", "ruling"],
    registers: [registry],
  });
  const findings = new Counter({
    name: "svc_extproc_findings_total",
    help: "Streams that a rightly configured proxy would not open like this; alarm on any",
    labelNames: ["finding"],
    registers: [registry],
  });
  const defects = new Counter({
    name: "svc_extproc_defects_total",
    help: "Defects of the adapter itself, each answered with a deny",
    registers: [registry],
  });
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
    defect: (error) => {
      defects.inc();
      logger.error({ err: error }, "a stream failed; its request is denied");
    },
  };
}
