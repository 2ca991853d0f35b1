import type { IncomingMessage } from "node:http";
import { PROBLEMS, type ProblemCode } from "@svc/contract/problem";
import type { Warn } from "@svc/process/limited-warnings";
import { Counter, type Registry } from "prom-client";
import { loggedPath } from "./logged-path.ts";

/** A request that was refused before any operation received it. */
export interface RefusedRequest {
  readonly code: ProblemCode;
  /** The id in the answer; null when it is not known here. */
  readonly requestId: string | null;
  readonly request: Pick<IncomingMessage, "method" | "url" | "socket"> | null;
}

export type NoteRefusal = (refused: RefusedRequest) => void;

export interface RefusalLogParts {
  /** Writes the first refusal of each code at once, and later ones as one line with their number. */
  readonly warn: Warn;
  readonly registry: Registry;
}

/** Counts and logs every refused request by its code. */
export function createRefusalLog({ warn, registry }: RefusalLogParts): NoteRefusal {
  const counter = new Counter({
    name: "svc_http_refused_requests_total",
    help: "Requests refused before any operation received them (credentials, route, method, frame), by code",
    labelNames: ["code"],
    registers: [registry],
  });
  // An alarm on a counter needs its initial zero.
  for (const code of Object.keys(PROBLEMS)) counter.inc({ code }, 0);
  return ({ code, requestId, request }) => {
    counter.inc({ code });
    const from = request === null ? {} : { method: request.method, path: loggedPath(request.url ?? "") };
    const peer = request?.socket.remoteAddress;
    const fields = { code, ...from, ...(peer === undefined ? {} : { peer }) };
    warn(
      code,
      { ...fields, ...(requestId === null ? {} : { request_id: requestId }) },
      "a request was refused",
    );
  };
}
