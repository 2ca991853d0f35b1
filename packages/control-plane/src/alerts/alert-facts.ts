import type { ProcessSigns } from "@svc/contract/process-signs";
import type { WebhookDisabledReason } from "@svc/contract/webhook-disabled-reason";
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

/** An endpoint of webhooks, or an integration that rows are sent to. */
export interface ObservedEndpoint {
  readonly kind: "webhook" | "integration";
  readonly org: string;
  readonly id: string;
  /** Scheme and host of its address: the rest can hold secrets. */
  readonly origin: string;
  /** Milliseconds for which it has not had every event. */
  readonly lagMs: number;
  /** Deliveries that are not attempted any more, as count. */
  readonly dead: number;
  /** Null: it takes deliveries. */
  readonly disabledReason: WebhookDisabledReason | null;
}

/** What conditions are judged by, read at one time. */
export interface AlertFacts {
  readonly contained: readonly ContainedAgent[];
  /** Null: not known now. */
  readonly anomalies: readonly KnownAnomaly[] | null;
  /** Null: not known now. */
  readonly processes: readonly ObservedProcess[] | null;
  /** Null: not known now. */
  readonly endpoints: readonly ObservedEndpoint[] | null;
}
