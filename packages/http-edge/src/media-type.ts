import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "@svc/contract/problem";
import { type SingleHeader, singleHeader } from "./single-header.ts";

/** The media type of a body, or the refusal. */
export type BodyMediaType =
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "problem"; readonly problem: Problem };

/** A media type as RFC 9110 spells it, with at most one parameter: charset, unquoted or quoted. */
const MEDIA_TYPE =
  /^([a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+)(?:[ ]*;[ ]*charset=(?:"([a-z0-9-]+)"|([a-z0-9-]+)))?$/i;

/** The type that curl sends with -d unless a header names another. */
const CURL_DEFAULT = "application/x-www-form-urlencoded";

const CURL_HINT = "; with curl, add the header with -H, and send files with --data-binary @file";

/** Longest part of a header that a refusal repeats, in characters. */
const EXCERPT_LENGTH = 100;

/**
 * Checks that a body is in one of the given media types, as UTF-8 and without content coding.
 * @param accepted in lower case @returns the accepted type of the body, or the refusal.
 */
export function bodyMediaType(
  request: Pick<IncomingMessage, "rawHeaders">,
  accepted: readonly string[],
): BodyMediaType {
  const coding = singleHeader(request, "content-encoding");
  const isPlain = coding.kind === "absent" || (coding.kind === "value" && isSame(coding.value, "identity"));
  if (!isPlain) return refused("no Content-Encoding", coding);
  const header = singleHeader(request, "content-type");
  const [, type, quotedCharset, charset] =
    header.kind === "value" ? (MEDIA_TYPE.exec(header.value) ?? []) : [];
  const known = accepted.find((candidate) => candidate === type?.toLowerCase());
  if (known === undefined || !isSame(quotedCharset ?? charset ?? "utf-8", "utf-8")) {
    return refused(`Content-Type ${accepted.join(" or ")} in UTF-8`, header);
  }
  return { kind: "type", type: known };
}

function isSame(value: string, lowerCase: string): boolean {
  return value.toLowerCase() === lowerCase;
}

function refused(expected: string, found: SingleHeader): BodyMediaType {
  const fromCurl = found.kind === "value" && found.value === CURL_DEFAULT ? CURL_HINT : "";
  const detail = `expected ${expected}, found ${describe(found)}${fromCurl}`;
  return { kind: "problem", problem: problem("unsupported_media_type", detail) };
}

function describe(header: SingleHeader): string {
  switch (header.kind) {
    case "absent":
      return "none";
    case "repeated":
      return "several";
    case "value":
      return JSON.stringify(header.value.slice(0, EXCERPT_LENGTH));
  }
}
