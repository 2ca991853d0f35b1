import type { IncomingMessage } from "node:http";

/** Bytes that a request says its body has; null when it does not say, because the body comes in chunks. */
export function announcedBytes({ headers }: Pick<IncomingMessage, "headers">): number | null {
  if (headers["transfer-encoding"] !== undefined) return null;
  return Number(headers["content-length"] ?? 0);
}
