import type { AllowedHosts } from "@svc/http-edge/host-check";
import type { Identity } from "@svc/tool-calls/identity";

/** The settings of the adapter's routes, fixed at start. */
export interface CheckgwSettings {
  /**
   * Identity that the configuration fixes for this process. Headers that the operator sets fill null members.
   */
  readonly identity: Identity;
  /** Names that Host may carry, on every path. */
  readonly allowedHosts: AllowedHosts;
  /** Whether an allow with rewritten arguments is denied instead of passed with X-Svc-Shaping-Required. */
  readonly strictShaping: boolean;
  /** Milliseconds that one decision may take. The caller gets its answer at most ANSWER_MARGIN_MS later. */
  readonly decisionTimeoutMs: number;
}

/**
 * Milliseconds after the decision timeout within which every request is answered, which leaves time to read a
 * forwarded body. Proxies in front must wait longer than the sum of both.
 */
export const ANSWER_MARGIN_MS = 500;
