import type { IncomingMessage } from "node:http";
import { readTraceParent, type TraceParent } from "@svc/contract/trace-parent";
import { singleHeader } from "./single-header.ts";

/** The place in a trace that a request names; null without exactly one header that is well-formed. */
export function callerTrace(request: Pick<IncomingMessage, "rawHeaders">): TraceParent | null {
  const header = singleHeader(request, "traceparent");
  return header.kind === "value" ? readTraceParent(header.value) : null;
}
