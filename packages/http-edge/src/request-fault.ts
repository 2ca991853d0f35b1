import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "@svc/contract/problem";
import { targetFault } from "./target-check.ts";

/**
 * What is wrong with the frame of a request, before anything of it is believed; null: nothing.
 * Refuses what two parsers on the way could read differently: target, Host, transfer coding.
 */
export function requestFault(request: IncomingMessage): Problem | null {
  const target = targetFault(request.url ?? "");
  if (target !== null) return problem("invalid_target", `the request target has ${target}`);
  const { hosts, lengths, codings, expects } = countFraming(request.rawHeaders);
  if (hosts !== 1) return problem("invalid_target", `expected one Host header, found ${String(hosts)}`);
  if (lengths > 1 || (lengths > 0 && codings > 0)) {
    return problem("invalid_header", "the length of the body is told more than once");
  }
  if (codings > 0 && request.headers["transfer-encoding"] !== "chunked") {
    return problem("invalid_header", "the only transfer coding known here is chunked");
  }
  return expects === 0 ? null : problem("invalid_header", "Expect is not supported here");
}

interface Framing {
  hosts: number;
  lengths: number;
  codings: number;
  expects: number;
}

/** Node keeps the first of several Host headers; the raw list tells how many there were. */
function countFraming(rawHeaders: readonly string[]): Framing {
  const framing = { hosts: 0, lengths: 0, codings: 0, expects: 0 };
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    // Most headers are told apart by their length alone.
    if (name.length === 4 && name.toLowerCase() === "host") framing.hosts += 1;
    else if (name.length === 14 && name.toLowerCase() === "content-length") framing.lengths += 1;
    else if (name.length === 17 && name.toLowerCase() === "transfer-encoding") framing.codings += 1;
    else if (name.length === 6 && name.toLowerCase() === "expect") framing.expects += 1;
  }
  return framing;
}
