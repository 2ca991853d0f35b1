import type { Severity } from "@svc/contract/severity";

/** What gateways know of a supervised session. INFO: nothing is known of it any more. */
export interface SessionSeverity {
  readonly agentId: string;
  readonly sessionId: string;
  readonly severity: Severity;
  /** RFC 3339: when the session got this severity. */
  readonly since: string;
  readonly reason: string;
}
