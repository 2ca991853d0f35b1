/**
 * Values of the headers that repeat a part of an MCP message (`Mcp-Name`, `Mcp-Param-*`, 2026-07-28): plain
 * printable ASCII, and anything else as `=?base64?<UTF-8 in base64>?=`.
 */

/** Printable ASCII without a space at either end: what a header carries to every server unchanged. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?(.*)\?=$/;

/** The header value that stands for a text. */
export function encodeMcpHeader(text: string): string {
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

/** The text that a header value stands for; null for one that does not stand for exactly one text. */
export function decodeMcpHeader(value: string): string | null {
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return PLAIN.test(value) ? value : null;
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString("utf8");
  const isExact = bytes.toString("base64") === encoded && Buffer.from(text, "utf8").equals(bytes);
  return isExact ? text : null;
}
