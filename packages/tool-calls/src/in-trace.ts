import type { Decide } from "@svc/contract/decide";
import { readTraceParent } from "@svc/contract/trace-parent";

/** The same decide function for calls that are made in this trace; undefined: in none that is known. */
export function inTrace(decide: Decide, traceparent: string | undefined): Decide {
  return traceparent === undefined ? decide : (call, options) => decide(call, { ...options, traceparent });
}

/**
 * The place in a trace that the headers `traceparent` of one message name.
 * @returns undefined unless there is exactly one, and it is well-formed
 */
export function namedTrace(headers: readonly string[] | undefined): string | undefined {
  const [text, more] = headers ?? [];
  return text === undefined || more !== undefined ? undefined : readTraceParent(text)?.text;
}
