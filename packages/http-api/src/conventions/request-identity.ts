import type { IncomingMessage } from "node:http";
import type { TraceParent } from "@svc/contract/trace-parent";
import { callerTrace } from "@svc/http-edge/caller-trace";
import { callerRequestId, newRequestId } from "@svc/http-edge/request-id";

/** How one request is named in its answer and in every log line that it causes. */
export interface RequestIdentity {
  readonly requestId: string;
  /** The place in a trace that the caller names; null without a valid one. */
  readonly trace: TraceParent | null;
  /** Headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Members of log lines. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Takes over the caller's names where they are well-formed. Others are ignored, as the standard asks. */
export function requestIdentity(request: Pick<IncomingMessage, "rawHeaders">): RequestIdentity {
  const requestId = callerRequestId(request) ?? newRequestId();
  const trace = callerTrace(request);
  return {
    requestId,
    trace,
    headers: { "x-request-id": requestId, ...(trace === null ? {} : { traceparent: trace.text }) },
    fields: { request_id: requestId, ...(trace === null ? {} : { trace_id: trace.traceId }) },
  };
}
