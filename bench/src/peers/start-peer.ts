import { type RunningChild, startChild } from "../child-process.ts";
import type { Cleanup } from "../cleanup.ts";

const READY = "listening ";

/** Starts a peer of ours in a process of its own. `ready` is the address that it prints. */
export function startPeer(entry: string, args: readonly string[], cleanup: Cleanup): Promise<RunningChild> {
  return startChild([process.execPath, entry, ...args], {
    readiness: { kind: "line", read: (line) => (line.startsWith(READY) ? line.slice(READY.length) : null) },
    cleanup,
  });
}
