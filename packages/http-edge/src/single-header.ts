import type { IncomingMessage } from "node:http";

/**
 * The only value of a header, or why it has none. Node joins repeated headers; this type keeps them apart.
 */
export type SingleHeader =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "absent" }
  | { readonly kind: "repeated" };

/**
 * Reads the raw list. Node's own header tables join some values, keep only the first of others, and are
 * built per request.
 * @param name in lower case
 */
export function singleHeader(
  { rawHeaders }: Pick<IncomingMessage, "rawHeaders">,
  name: string,
): SingleHeader {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] ?? "";
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    if (value !== undefined) return { kind: "repeated" };
    value = rawHeaders[index + 1] ?? "";
  }
  return value === undefined ? { kind: "absent" } : { kind: "value", value };
}
