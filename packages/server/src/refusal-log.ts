import type { IncomingMessage } from "node:http";
import { excerpt } from "@svc/contract/excerpt";
import type { ProblemCode } from "@svc/contract/problem";
import type { Timers } from "@svc/control-plane/ports";
import type { GatewayLog } from "@svc/gateway/ports";
import { Counter, type Registry } from "prom-client";

/** Milliseconds for which refusals of one code are counted after one was logged: a flood fills no disk. */
export const QUIET_MS = 10_000;

/** Longest piece of a path in a log line, in characters: the sender chose it. */
const PATH_LENGTH = 128;

/** A request that was refused before an operation saw it. */
export interface RefusedRequest {
  readonly code: ProblemCode;
  /** The same id as in the answer; null when the answer has none that is known here. */
  readonly requestId: string | null;
  readonly request: Pick<IncomingMessage, "method" | "url" | "socket"> | null;
}

export type NoteRefusal = (refused: RefusedRequest) => void;

export interface RefusalLogParts {
  readonly log: Pick<GatewayLog, "warn">;
  readonly timers: Timers;
  readonly registry: Registry;
}

/**
 * Counts every refused request by its code, and logs the first of each code at once; those that follow within
 * QUIET_MS are one line with their number.
 */
export function createRefusalLog({ log, timers, registry }: RefusalLogParts): NoteRefusal {
  const counter = new Counter({
    name: "svc_http_refused_requests_total",
    help: "Requests refused before an operation saw them (credentials, route, method, frame), by code",
    labelNames: ["code"],
    registers: [registry],
  });
  /** By code: how many were not logged since the last line. */
  const quiet = new Map<ProblemCode, number>();
  const endQuiet = (code: ProblemCode): void => {
    const more = quiet.get(code) ?? 0;
    quiet.delete(code);
    if (more > 0) log.warn({ code, count: more, seconds: QUIET_MS / 1_000 }, "more requests were refused");
  };
  return ({ code, requestId, request }) => {
    counter.inc({ code });
    const unlogged = quiet.get(code);
    if (unlogged !== undefined) {
      quiet.set(code, unlogged + 1);
      return;
    }
    quiet.set(code, 0);
    timers.after(QUIET_MS, () => endQuiet(code));
    const path = request?.url?.split("?", 1)[0] ?? "";
    const from = request === null ? {} : { method: request.method, path: excerpt(path, PATH_LENGTH) };
    const peer = request?.socket.remoteAddress;
    const fields = { code, ...from, ...(peer === undefined ? {} : { peer }) };
    log.warn(
      { ...fields, ...(requestId === null ? {} : { request_id: requestId }) },
      "a request was refused",
    );
  };
}
