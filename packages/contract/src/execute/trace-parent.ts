/** The caller's place in a distributed trace: the header `traceparent` of W3C Trace Context. */
export interface TraceParent {
  /** As it came. */
  readonly text: string;
  /** 32 hexadecimal digits, not all of them 0. */
  readonly traceId: string;
  /** The span of the caller: 16 hexadecimal digits, not all of them 0. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/**
 * Version, trace id, parent id, flags, in lower case. A version after 00 may have more behind that, and a
 * hyphen before it.
 */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]{1,256})?$/;

const NO_ID = /^0+$/;

/** The bit of the flags which says that the caller records its span. */
const SAMPLED = 1;

/** Null when the text is malformed: it is then ignored, as the standard asks. */
export function readTraceParent(text: string): TraceParent | null {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined || version === "ff") return null;
  if (version === "00" && more !== undefined) return null;
  if (NO_ID.test(traceId) || NO_ID.test(spanId)) return null;
  return { text, traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}
