import type { IncomingMessage } from "node:http";
import { MAX_HEADER_COUNT } from "@svc/contract/limits";
import { type Problem, problem } from "@svc/contract/problem";
import { foldHeaderName } from "@svc/text/fold-header-name";
import { type EncodedSlash, targetFault } from "./target-fault.ts";

/** What a frame is judged by. */
export type FramedRequest = Pick<IncomingMessage, "httpVersionMajor" | "url" | "headers" | "rawHeaders">;

/** A name or address with an optional port. Parsers disagree about anything else in a Host. */
const HOST = /^(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,255})(?::[0-9]{1,5})?$/;

/**
 * The fault in the frame of a request, checked before any of it is used; null when there is none. Refuses a
 * target, Host or transfer coding that two parsers on the way could read differently.
 */
export function requestFault(request: FramedRequest, encodedSlash: EncodedSlash): Problem | null {
  // Node reads headers after an HTTP/0.9 request line, which has none. Other parsers would take them
  // for a request.
  if (request.httpVersionMajor !== 1) return problem("invalid_request", "expected HTTP/1.1");
  const target = targetFault(request.url ?? "", encodedSlash);
  if (target !== null) return problem("invalid_target", `the request target has ${target}`);
  const { rawHeaders } = request;
  if (rawHeaders.length > 2 * MAX_HEADER_COUNT) {
    return problem("headers_too_large", `expected at most ${String(MAX_HEADER_COUNT)} headers`);
  }
  const { hosts, host, lengths, codings, alias } = framingOf(rawHeaders);
  if (hosts !== 1) return problem("invalid_target", `expected one Host header, found ${String(hosts)}`);
  if (!HOST.test(host)) return problem("invalid_target", "expected a Host of a name or address and a port");
  if (alias !== null)
    return problem("invalid_header", `expected ${alias} under its own name, found an alias`);
  if (lengths > 1 || (lengths > 0 && codings > 0)) {
    return problem("invalid_header", "the length of the body is given more than once");
  }
  if (codings > 0 && request.headers["transfer-encoding"] !== "chunked") {
    return problem("invalid_header", "the only supported transfer coding is chunked");
  }
  const { expect = "100-continue" } = request.headers;
  if (expect.toLowerCase() === "100-continue") return null;
  return problem("invalid_header", "the only supported expectation is 100-continue");
}

/** How often each header that frames a request occurs. */
interface Framing {
  hosts: number;
  host: string;
  lengths: number;
  codings: number;
  /** The header that some server on the way could take another header for. */
  alias: string | null;
}

/**
 * Headers with a hyphen that frame a message or belong to one connection. CGI and similar servers accept
 * every other separator instead: a server behind a proxy could obey `Transfer_Encoding`.
 */
const HYPHENATED: ReadonlySet<string> = new Set([
  "content-length",
  "transfer-encoding",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "http2-settings",
]);
const HYPHENATED_LENGTHS: ReadonlySet<number> = new Set([...HYPHENATED].map((name) => name.length));

/** Counts in the raw list, because Node keeps only the first of several Host headers. */
function framingOf(rawHeaders: readonly string[]): Framing {
  const framing: Framing = { hosts: 0, host: "", lengths: 0, codings: 0, alias: null };
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    // Most headers already differ in length.
    if (name.length === 4 && name.toLowerCase() === "host") {
      framing.hosts += 1;
      framing.host = rawHeaders[index + 1] ?? "";
    } else if (HYPHENATED_LENGTHS.has(name.length)) countFraming(framing, name.toLowerCase());
  }
  return framing;
}

function countFraming(framing: Framing, name: string): void {
  if (name === "content-length") framing.lengths += 1;
  else if (name === "transfer-encoding") framing.codings += 1;
  else if (!HYPHENATED.has(name)) {
    const folded = foldHeaderName(name);
    if (HYPHENATED.has(folded)) framing.alias = folded;
  }
}
