import type { ProcessSigns } from "@svc/contract/process-signs";
import type { AgentAnomaly } from "@svc/store/ports/anomaly-store";
import type { ContainedAgent } from "../rogue/supervision-view.ts";

/** An anomaly, and for how long it has been known, which no clock that jumps changes. */
export interface KnownAnomaly extends AgentAnomaly {
  readonly ageMs: number;
}

/** A process that shares the store. */
export interface ObservedProcess {
  readonly id: string;
  readonly host: string;
  /** Whether it decides calls. */
  readonly isGateway: boolean;
  /** Whether it gives signs of life. */
  readonly isLiving: boolean;
  /** What it said of itself last; null: nothing yet. */
  readonly signs: ProcessSigns | null;
}

/** What conditions are judged by, read at one time. */
export interface AlertFacts {
  readonly contained: readonly ContainedAgent[];
  /** Null: not known now. */
  readonly anomalies: readonly KnownAnomaly[] | null;
  /** Null: not known now. */
  readonly processes: readonly ObservedProcess[] | null;
}
