import type { Check, CheckVerdict } from "../judge/check.ts";

/** Name and version of the report. A reader refuses others. */
export const REPORT_SCHEMA = "svc.cli.drill/v1";

export const DRILLS = ["kill", "partition", "crash", "slow-database"] as const;
export type DrillName = (typeof DRILLS)[number];

/** What was broken: a cluster that the drill started, or a deployment that somebody named. */
export interface DrillSubject {
  readonly kind: "local" | "deployment";
  /** In words: how many processes, which database; or the addresses. */
  readonly description: string;
  /** Version of each process, by gateway id or address. Null where it did not say. */
  readonly versions: Readonly<Record<string, string | null>>;
}

/** Everything that a drill says, in its wire form. Times are RFC 3339 UTC. */
export interface DrillReport {
  readonly schema: typeof REPORT_SCHEMA;
  readonly drill: DrillName;
  /** The worst verdict of the checks. */
  readonly verdict: CheckVerdict;
  readonly started_at: string;
  readonly ended_at: string;
  readonly duration_ms: number;
  /** Version of the program that measured, of Node, and of the machine's system. */
  readonly measured_by: Readonly<Record<string, string>>;
  readonly subject: DrillSubject;
  readonly settings: Readonly<Record<string, number>>;
  /** Why the drill ended before its last step; null when it did not. */
  readonly ended_early: string | null;
  readonly checks: readonly Check[];
}
