import type { IncomingMessage } from "node:http";

/** One header's only value, or why there is none. Node joins repeated headers; here they stay apart. */
export type SingleHeader =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "absent" }
  | { readonly kind: "repeated" };

/** @param name in lower case */
export function singleHeader(request: IncomingMessage, name: string): SingleHeader {
  const [value, more] = request.headersDistinct[name] ?? [];
  if (value === undefined) return { kind: "absent" };
  return more === undefined ? { kind: "value", value } : { kind: "repeated" };
}
