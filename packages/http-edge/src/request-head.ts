import type { IncomingMessage } from "node:http";

/** The headers of a request. */
export type HeadText = Pick<IncomingMessage, "headers" | "rawHeaders">;

/** What a request says before its body. */
export interface RequestHead
  extends HeadText,
    Pick<IncomingMessage, "httpVersionMajor" | "method" | "url" | "socket"> {
  /** Of a head that a client repeats on its connection. */
  readonly steady?: SteadyHead | undefined;
}

/** What is the same each time that a client repeats its head. */
export interface SteadyHead {
  /** Without the headers whose values vary. */
  readonly text: HeadText;
  /** What was read of the text, by what read it. */
  readonly readings: Map<(text: HeadText) => unknown, unknown>;
}

/**
 * What `read` says of a head. Where a client repeats its head, it is read once for the connection, without
 * the headers that vary: the length of the body and the names of the request.
 * @param read depends on the text alone, and on nothing that changes while the process runs. It is the same
 * function each time, and never answers undefined.
 */
export function ofHead<Value>(head: RequestHead, read: (text: HeadText) => Value): Value {
  const { steady } = head;
  if (steady === undefined) return read(head);
  const kept = steady.readings.get(read);
  if (kept !== undefined) return kept as Value;
  const value = read(steady.text);
  steady.readings.set(read, value);
  return value;
}
