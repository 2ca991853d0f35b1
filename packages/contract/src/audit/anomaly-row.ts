import type { JsonObject } from "@svc/text/json-value";
import type { Anomaly } from "../agents/anomaly.ts";

/** Behaviour that differs from what is expected. */
export interface AnomalyRow {
  readonly v: 1;
  readonly kind: "anomaly";
  /** RFC 3339 UTC with milliseconds: when it was recorded. */
  readonly time: string;
  readonly org: string;
  /** The part of the server that found it. */
  readonly principal: string;
  readonly agent_id: string;
  readonly session_id: string | null;
  readonly namespace: string | null;
  readonly anomaly: Anomaly;
  /** What was observed, for people. */
  readonly explanation: string;
  /** Ids and counts that show it. */
  readonly evidence: JsonObject;
}
