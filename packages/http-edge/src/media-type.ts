import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "@svc/contract/problem";

/** A media type as RFC 9110 spells it, with at most one parameter: charset, unquoted or quoted. */
const MEDIA_TYPE =
  /^([a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+)(?:[ ]*;[ ]*charset=(?:"([a-z0-9-]+)"|([a-z0-9-]+)))?$/i;

/**
 * Checks that a body is in one of the given media types, as UTF-8 and without content coding.
 * @returns the media type in lower case, or the refusal.
 */
export function bodyMediaType(
  request: IncomingMessage,
  accepted: readonly string[],
):
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "problem"; readonly problem: Problem } {
  const encodings = request.headersDistinct["content-encoding"] ?? [];
  if (encodings.some((encoding) => encoding.toLowerCase() !== "identity")) {
    return refused("no Content-Encoding", encodings.join(", "));
  }
  const types = request.headersDistinct["content-type"] ?? [];
  const [, type, quotedCharset, charset] = MEDIA_TYPE.exec(types[0] ?? "") ?? [];
  const known = accepted.find((candidate) => candidate === type?.toLowerCase());
  const isUtf8 = (quotedCharset ?? charset ?? "utf-8").toLowerCase() === "utf-8";
  if (types.length !== 1 || known === undefined || !isUtf8) {
    return refused(`one Content-Type of ${accepted.join(", ")} in UTF-8`, types.join(", "));
  }
  return { kind: "type", type: known };
}

function refused(expected: string, found: string) {
  const shown = found === "" ? "nothing" : JSON.stringify(found.slice(0, 100));
  return {
    kind: "problem",
    problem: problem("unsupported_media_type", `expected ${expected}, found ${shown}`),
  } as const;
}
