import { join } from "node:path";
import { type RunningChild, startChild } from "../child-process.ts";
import type { Cleanup } from "../cleanup.ts";

const ENTRY = join(import.meta.dirname, "bare-server.ts");
const READY = "listening ";

/** Starts the baseline in a process of its own. `ready` is its URL. */
export function startBareServer(verdict: object, cleanup: Cleanup): Promise<RunningChild> {
  return startChild([process.execPath, ENTRY, JSON.stringify(verdict)], {
    readiness: { kind: "line", read: (line) => (line.startsWith(READY) ? line.slice(READY.length) : null) },
    cleanup,
  });
}
