import type { Anomaly } from "@svc/contract/anomaly";
import type { AuditedChange } from "./audited-change.ts";
import type { RowPosition } from "./row-position.ts";
import type { SeverityChange, SupervisedSession } from "./supervision-store.ts";

/** Milliseconds that the latest anomalies are kept beside their rows: a day. */
export const ANOMALIES_KEPT_MS = 24 * 60 * 60 * 1_000;

/** Something unusual about the calls of an agent, with its audit row. */
export interface NewAnomaly extends AuditedChange {
  readonly agentId: string;
  readonly namespace: string;
  readonly sessionId: string | null;
  readonly anomaly: Anomaly;
  /** What it is about beside the agent, such as the digest of a call. */
  readonly subject: string;
  /** Unix milliseconds of the row that completed it. */
  readonly atMs: number;
  /** Milliseconds in which the same anomaly about the same subject is the same occurrence; at most a day. */
  readonly quietMs: number;
  readonly explanation: string;
  /** Raises the severity of its session, with an audit row of its own; null: it raises none. */
  readonly raise: SeverityChange | null;
}

export type RecordedAnomaly =
  /** `raised`: the session after `raise`; null without one. */
  | {
      readonly kind: "recorded";
      readonly position: RowPosition;
      readonly raised: SupervisedSession | null;
    }
  /** The same occurrence, or a later one, is recorded. Nothing was written. */
  | { readonly kind: "known" }
  /** The session of `raise` has another version by now. Nothing was written. */
  | { readonly kind: "moved" };

/** An anomaly of the last day, with the position of its audit row. */
export interface StoredAnomaly {
  readonly position: RowPosition;
  readonly atMs: number;
  readonly namespace: string;
  readonly sessionId: string | null;
  readonly anomaly: Anomaly;
  readonly explanation: string;
}

/** Whose it is, and what it is about. */
export interface AgentAnomaly extends StoredAnomaly, Pick<NewAnomaly, "org" | "agentId" | "subject"> {}

/**
 * Which anomalies are in the log, so that no occurrence is recorded twice. Every promise rejects when the
 * store does not answer; what it was asked to write may then have been written.
 */
export interface AnomalyStore {
  /**
   * Writes the audit row, and the change of the severity with its row and its control event, in one
   * transaction. Of two processes that record the same occurrence, one gets `known`.
   */
  recordAnomaly(anomaly: NewAnomaly): Promise<RecordedAnomaly>;
  /** The latest of each anomaly and subject of an agent, newest first, not older than `sinceMs`. */
  recentAnomalies(
    org: string,
    agentId: string,
    page: { readonly sinceMs: number; readonly limit: number },
  ): Promise<readonly StoredAnomaly[]>;
  /** The latest of each anomaly and subject of every agent of all organizations, newest first. */
  latestAnomalies(limit: number): Promise<readonly AgentAnomaly[]>;
}
