import type { Verdict } from "@svc/contract/verdict";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";
import { Counter, Histogram, type Registry } from "prom-client";
import { DIALECTS } from "./guardrail/dialect-name.ts";
import type { GuardrailReport } from "./guardrail/judge-guardrail.ts";
import type { Spent } from "./meter.ts";
import type { PlaceName } from "./place.ts";
import { REFUSAL_CAUSES, type RefusalCause } from "./refusal-of.ts";

/** The result of a request. `fail_closed`: a deny because no verdict could be obtained. */
export type RequestResult = "allow" | "deny" | "pause" | "fail_closed" | "refused" | "ok";

/** The results of requests at the places that judge calls. */
const RESULTS: readonly RequestResult[] = ["allow", "deny", "pause", "fail_closed", "refused"];

const JUDGING_PLACES: readonly PlaceName[] = ["check", "verdict", ...DIALECTS];

export interface Judged extends Spent {
  /** Milliseconds from the arrival of a request to its answer. */
  readonly elapsedMs: number;
}

/** Reports what the adapter did to operators, in the log and in counters. */
export interface CheckgwReporter {
  judged(place: PlaceName, verdict: Verdict, cost: Judged): void;
  judgedMessage(report: GuardrailReport, cost: Judged): void;
  healthy(): void;
  refused(place: PlaceName, cause: RefusalCause, reason: string): void;
  defect(error: unknown, message: string): void;
}

/** Buckets for the adapter's own work, in seconds: from a small call to a body of 1 MiB. */
const OWN_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function createReporter(logger: Logger, registry: Registry): CheckgwReporter {
  const { requests, questions, refusals, own, defects } = metricsIn(registry);
  const warn = createLimitedWarnings(logger);
  // An alarm on a counter needs its initial zero.
  for (const cause of REFUSAL_CAUSES) refusals.inc({ cause }, 0);
  for (const path of JUDGING_PLACES) {
    for (const result of RESULTS) requests.inc({ path, result }, 0);
    questions.inc({ path }, 0);
  }
  const count = (path: PlaceName, result: RequestResult, cost: Judged): void => {
    requests.inc({ path, result });
    questions.inc({ path }, cost.questions);
    own.observe({ path }, Math.max(0, cost.elapsedMs - cost.waitedMs) / 1_000);
  };
  return {
    judged: (place, verdict, cost) => {
      count(place, resultOf(verdict), cost);
      // Neither target nor headers: they hold the arguments of the call.
      const reason_code = verdict.decision === "allow" ? undefined : verdict.reason_code;
      logger.debug({ decision: verdict.decision, reason_code, decision_id: verdict.decision_id }, "answered");
    },
    judgedMessage: (report, cost) => {
      const { failClosed, enforced, dialect, decision, reason_code, decision_id } = report;
      const fields = { dialect, decision, reason_code, decision_id, enforced };
      count(dialect, failClosed ? "fail_closed" : decision, cost);
      if (enforced) logger.debug(fields, "answered");
      else warn("streamed", fields, "a streamed answer was judged after it was handed on");
    },
    healthy: () => requests.inc({ path: "healthz", result: "ok" }),
    refused: (path, cause, reason) => {
      requests.inc({ path, result: "refused" });
      refusals.inc({ cause });
      warn(`${cause} ${path}`, { path, cause }, `request refused: ${reason}`);
    },
    defect: (error, message) => {
      defects.inc();
      logger.error({ err: error }, message);
    },
  };
}

function resultOf(verdict: Verdict): RequestResult {
  return verdict.decision === "deny" && verdict.fail_closed ? "fail_closed" : verdict.decision;
}

function metricsIn(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Counter({
      name: "svc_checkgw_requests_total",
      help: "Requests by path and result; fail_closed: no verdict was obtained; refused: not judged",
      labelNames: ["path", "result"],
      registers,
    }),
    questions: new Counter({
      name: "svc_checkgw_questions_total",
      help: "Questions that went to the gateway, by the path that caused them",
      labelNames: ["path"],
      registers,
    }),
    refusals: new Counter({
      name: "svc_checkgw_refusals_total",
      help: "Requests refused before a call was read, by cause; unmatched: a path that is not served",
      labelNames: ["cause"],
      registers,
    }),
    own: new Histogram({
      name: "svc_checkgw_own_duration_seconds",
      help: "Time from a request to its answer, without the time that the gateway took",
      labelNames: ["path"],
      buckets: OWN_BUCKETS_S,
      registers,
    }),
    defects: new Counter({
      name: "svc_checkgw_defects_total",
      help: "Defects of the adapter itself, each answered with a deny; alarm on any",
      registers,
    }),
  };
}
