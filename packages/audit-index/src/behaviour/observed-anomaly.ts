import type { Anomaly } from "@svc/contract/anomaly";
import type { JsonObject } from "@svc/text/json-value";

/** Something unusual about the calls of an agent. It holds no argument of a call. */
export interface ObservedAnomaly {
  readonly org: string;
  readonly namespace: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly anomaly: Anomaly;
  /** What it is about: a call, a tool, or nothing more than the agent. At most one is reported at a time. */
  readonly subject: string;
  /** Unix milliseconds of the row that completed it. */
  readonly atMs: number;
  /** Milliseconds in which the same anomaly about the same subject is the same occurrence. */
  readonly quietMs: number;
  /** What the agent did, with the counts, for people. */
  readonly explanation: string;
  /** Ids and counts. */
  readonly evidence: JsonObject;
}
