import type { IncomingMessage } from "node:http";
import { callerRequestId, newRequestId } from "@svc/http-edge/request-id";
import { singleHeader } from "@svc/http-edge/single-header";

/** How one request is named in its answer and in every log line that it causes. */
export interface RequestIdentity {
  readonly requestId: string;
  /** The trace that the caller's `traceparent` names; null without a valid one. */
  readonly traceId: string | null;
  /** Headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Members of log lines. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * W3C Trace Context: version, trace id, parent id, flags, in lower case. A version after 00 may have more
 * behind that, after a hyphen.
 */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-[\x21-\x7e]{1,256})?$/;

const NO_ID = /^0+$/;

/** Takes over the caller's names where they are well-formed. Others are ignored, as the standard asks. */
export function requestIdentity(request: Pick<IncomingMessage, "rawHeaders">): RequestIdentity {
  const requestId = callerRequestId(request) ?? newRequestId();
  const parent = singleHeader(request, "traceparent");
  const traceId = parent.kind === "value" ? traceIdOf(parent.value) : null;
  const trace = parent.kind === "value" && traceId !== null ? { traceparent: parent.value } : {};
  return {
    requestId,
    traceId,
    headers: { "x-request-id": requestId, ...trace },
    fields: { request_id: requestId, ...(traceId === null ? {} : { trace_id: traceId }) },
  };
}

function traceIdOf(text: string): string | null {
  const [, version, traceId, parentId, more] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || parentId === undefined || version === "ff") return null;
  if (version === "00" && more !== undefined) return null;
  return NO_ID.test(traceId) || NO_ID.test(parentId) ? null : traceId;
}
