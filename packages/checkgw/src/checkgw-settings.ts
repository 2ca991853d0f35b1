import type { AllowedHosts } from "@svc/http-edge/host-check";
import type { Identity } from "@svc/tool-calls/identity";

/** The settings of the adapter's routes, fixed at start. */
export interface CheckgwSettings {
  /**
   * Identity that the configuration fixes for this process; null members are left to operator-set headers.
   */
  readonly identity: Identity;
  /** Names that Host may carry, on every path. */
  readonly allowedHosts: AllowedHosts;
  /** Deny an allow that comes with rewritten arguments instead of passing it with X-Svc-Shaping-Required. */
  readonly strictShaping: boolean;
  /** Milliseconds that one decision may take; the answer to a caller comes at most ANSWER_MARGIN_MS later. */
  readonly decisionTimeoutMs: number;
}

/**
 * Milliseconds beyond the decision timeout within which every request is answered: time to read a forwarded
 * body. Proxies in front must wait longer than both together.
 */
export const ANSWER_MARGIN_MS = 500;
