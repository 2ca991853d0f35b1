import type { IncomingMessage } from "node:http";
import type { Principal } from "@svc/contract/principal";
import { PROBLEMS, type Problem, type ProblemCode } from "@svc/contract/problem";
import type { MonotonicClock } from "@svc/process/clock";
import type { Warn } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";
import { type Budget, TokenBuckets } from "@svc/process/token-buckets";
import { Counter, type Registry } from "prom-client";
import { loggedPath } from "./logged-path.ts";

/**
 * Statuses of answers that refuse what the caller sent. People look for the line that has the id of the
 * answer, so each of these has a line.
 */
const INPUT_STATUSES: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Lines about refused input of one key. One that sends more has a mistake that repeats itself. */
const INPUT_LINES: Budget = { burst: 200, perSecond: 10 };

/** Most keys whose lines are counted, as count: some megabytes. */
const MAX_COUNTED_KEYS = 10_000;

/** A request that was refused before any operation received it, or for its input. */
export interface RefusedRequest {
  readonly code: ProblemCode;
  /** The id in the answer; null when it is not known here. */
  readonly requestId: string | null;
  readonly request: Pick<IncomingMessage, "method" | "url" | "socket"> | null;
  /** Whose key was accepted before the input of the request was refused. */
  readonly principal?: Pick<Principal, "org" | "id">;
}

export type NoteRefusal = (refused: RefusedRequest) => void;

export interface RefusalLogParts {
  /** Writes the first refusal of each code at once, and later ones as one line with their number. */
  readonly warn: Warn;
  readonly log: Pick<Logger, "info">;
  readonly clock: MonotonicClock;
  readonly registry: Registry;
}

/** Whether an answer refuses what the caller sent. */
export function refusesInput({ status }: Pick<Problem, "status">): boolean {
  return INPUT_STATUSES.has(status);
}

/** Counts and logs every refused request by its code. */
export function createRefusalLog({ warn, log, clock, registry }: RefusalLogParts): NoteRefusal {
  const counter = new Counter({
    name: "svc_http_refused_requests_total",
    help: "Requests refused for their credentials, route, method, frame or input, by code",
    labelNames: ["code"],
    registers: [registry],
  });
  // An alarm on a counter needs its initial zero.
  for (const code of Object.keys(PROBLEMS)) counter.inc({ code }, 0);
  const inputLines = new TokenBuckets(INPUT_LINES, clock, MAX_COUNTED_KEYS);
  return ({ code, requestId, request, principal }) => {
    counter.inc({ code });
    const from = request === null ? {} : { method: request.method, path: loggedPath(request.url ?? "") };
    const peer = request?.socket.remoteAddress;
    const fields = {
      code,
      ...from,
      ...(peer === undefined ? {} : { peer }),
      ...(principal === undefined ? {} : { key_id: principal.id }),
      ...(requestId === null ? {} : { request_id: requestId }),
    };
    const hasLine =
      principal !== undefined &&
      refusesInput(PROBLEMS[code]) &&
      inputLines.take(JSON.stringify([principal.org, principal.id])).kind === "taken";
    if (hasLine) log.info(fields, "the input of a request was refused");
    else warn(code, fields, "a request was refused");
  };
}
