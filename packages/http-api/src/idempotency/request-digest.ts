import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What two requests under one key must have in common: everything that can change what is done. */
export function requestDigest(
  { method, url, headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  body: Uint8Array,
): string {
  const hash = createHash("sha256");
  const { "content-type": type = "", "if-match": match = "" } = headers;
  const head = JSON.stringify([method, url, type, match]);
  return hash
    .update(`${String(head.length)}:${head}`)
    .update(body)
    .digest("hex");
}

/** The store holds a digest in place of a key that its caller may use elsewhere, too. */
export function keyDigest(key: string): string {
  return createHash("sha256").update(key, "utf8").digest("hex");
}
