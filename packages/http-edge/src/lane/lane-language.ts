/**
 * The headers that a request of the lane may have, each once. All that they mean is read by the functions
 * that read them on the edge server. A header that changes how a request is framed, forwarded or kept waiting
 * never joins this list.
 */
export const LANE_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-type",
  "content-length",
  "authorization",
  "idempotency-key",
  "x-svc-org-id",
  "x-request-id",
  "traceparent",
  "tracestate",
  "user-agent",
  "accept",
  "accept-encoding",
  "accept-language",
  "sec-fetch-mode",
]);

/** Longest head in bytes. Ordinary clients send some hundred. */
export const MAX_HEAD_BYTES = 4_096;
