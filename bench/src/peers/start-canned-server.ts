import { join } from "node:path";
import type { RunningChild } from "../child-process.ts";
import type { Cleanup } from "../cleanup.ts";
import { startPeer } from "./start-peer.ts";

/** Answers by path; `*` is for every other path. All have status 200. */
export type CannedAnswers = Readonly<
  Record<string, { readonly body: string; readonly headers?: Readonly<Record<string, string>> }>
>;

/** Starts a server that knows nothing but these answers. `ready` is its URL. */
export function startCannedServer(answers: CannedAnswers, cleanup: Cleanup): Promise<RunningChild> {
  return startPeer(join(import.meta.dirname, "canned-server.ts"), [JSON.stringify(answers)], cleanup);
}

/** How often it gave each of its answers so far. */
export async function answersGiven({ ready: url }: RunningChild): Promise<Readonly<Record<string, number>>> {
  return (await (await fetch(`${url}/counts`)).json()) as Record<string, number>;
}

export const EXECUTE_PATH = "/api/v1/gateway/execute";

/** A gateway that allows every call at once, without looking at it, and takes every report. */
export function startAllowingGateway(cleanup: Cleanup): Promise<RunningChild> {
  const verdict = { decision: "allow", decision_id: "gateway-01.123456", args_constrained: false };
  return startCannedServer(
    {
      [EXECUTE_PATH]: { body: JSON.stringify(verdict) },
      "/api/v1/gateway/outcome": { body: JSON.stringify({ recorded: true }) },
      "*": { body: JSON.stringify({ kill_switches: [], next_cursor: null }) },
    },
    cleanup,
  );
}
