import type { IncomingMessage } from "node:http";

/** What a request says before its body. */
export interface RequestHead
  extends Pick<IncomingMessage, "httpVersionMajor" | "method" | "url" | "headers" | "rawHeaders" | "socket"> {
  /** Of a head that came again on its connection. */
  readonly readings?: HeadReadings | undefined;
}

/** What was read of a head, by what read it. */
export type HeadReadings = Map<(head: RequestHead) => unknown, unknown>;

/**
 * What `read` says of a head. A head that a client repeats on its connection keeps it.
 * @param read depends on the text of the head alone, and on nothing that changes while the process runs. It
 * is the same function each time, and never answers undefined.
 */
export function ofHead<Value>(head: RequestHead, read: (head: RequestHead) => Value): Value {
  const { readings } = head;
  if (readings === undefined) return read(head);
  const kept = readings.get(read);
  if (kept !== undefined) return kept as Value;
  const value = read(head);
  readings.set(read, value);
  return value;
}
