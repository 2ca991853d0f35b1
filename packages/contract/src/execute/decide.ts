import type { ExecuteRequest } from "./execute-request.ts";
import type { Verdict } from "./verdict.ts";

export interface DecideOptions {
  /** Makes a repetition of the same call count once. */
  readonly idempotencyKey?: string | undefined;
  /** Abandons the decision when it aborts; the answer is then a flagged deny. */
  readonly signal?: AbortSignal | undefined;
  /** The place in a trace in which the call is made, as a header `traceparent` that is well-formed. */
  readonly traceparent?: string | undefined;
}

/**
 * Asks for a verdict. Resolves always, and with an allow only when the gateway's readable verdict said so.
 */
export type Decide = (call: ExecuteRequest, options?: DecideOptions) => Promise<Verdict>;
