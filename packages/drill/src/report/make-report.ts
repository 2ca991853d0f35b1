import { availableParallelism, loadavg, release, type } from "node:os";
import { VERSION } from "@svc/process/version";
import { type Check, type CheckVerdict, mergeChecks, worstVerdict } from "../judge/check.ts";
import { type DrillName, type DrillReport, type DrillSubject, REPORT_SCHEMA } from "./drill-report.ts";

/** When a drill began, by the wall clock for people and by the monotonic one for its duration. */
export interface ReportStart {
  readonly startedAt: Date;
  readonly startedAtMs: number;
}

export const startReport = (): ReportStart => ({ startedAt: new Date(), startedAtMs: performance.now() });

export interface ReportParts extends ReportStart {
  readonly drill: DrillName;
  readonly subject: DrillSubject;
  readonly settings: Readonly<Record<string, number>>;
  readonly endedEarly: string | null;
  readonly checks: readonly Check[];
}

/** A drill that ended early has not measured what it set out to, whatever it found until then. */
export function makeReport(parts: ReportParts): DrillReport {
  const checks = mergeChecks(parts.checks);
  const missing: readonly { verdict: CheckVerdict }[] =
    parts.endedEarly === null ? [] : [{ verdict: "not_measured" }];
  return {
    schema: REPORT_SCHEMA,
    drill: parts.drill,
    verdict: worstVerdict([...checks, ...missing]),
    started_at: parts.startedAt.toISOString(),
    ended_at: new Date().toISOString(),
    duration_ms: Math.round(performance.now() - parts.startedAtMs),
    measured_by: {
      "svc-cli": VERSION,
      node: process.versions.node,
      system: `${type()} ${release()}`,
      cores: String(availableParallelism()),
      // A machine that did other work makes every figure larger.
      load_average: (loadavg()[0] ?? 0).toFixed(1),
    },
    subject: parts.subject,
    settings: parts.settings,
    ended_early: parts.endedEarly,
    checks,
  };
}
