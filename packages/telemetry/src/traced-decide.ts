import type { Decide } from "@svc/contract/decide";
import { readTraceParent } from "@svc/contract/trace-parent";
import type { Telemetry } from "./telemetry.ts";
import { verdictAttributes } from "./verdict-attributes.ts";

/**
 * The same decide function with a span for each question. It names neither agent nor arguments: the gateway's
 * own span, which is a child of this one, has the names with secrets masked.
 */
export function tracedDecide(decide: Decide, telemetry: Telemetry | null): Decide {
  if (telemetry === null) return decide;
  return async (call, options) => {
    const named = options?.traceparent;
    const parent = named === undefined ? null : readTraceParent(named);
    const span = telemetry.begin({ name: "svc.ask", kind: "client", parent });
    if (span === null) return decide(call, options);
    const verdict = await decide(call, { ...options, traceparent: span.trace.text });
    span.end(() => verdictAttributes(verdict));
    return verdict;
  };
}
