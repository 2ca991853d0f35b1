import { join } from "node:path";
import type { RunningChild } from "../child-process.ts";
import type { Cleanup } from "../cleanup.ts";
import { startPeer } from "./start-peer.ts";

/** Starts the baseline in a process of its own. `ready` is its URL. */
export function startBareServer(verdict: object, cleanup: Cleanup): Promise<RunningChild> {
  return startPeer(join(import.meta.dirname, "bare-server.ts"), [JSON.stringify(verdict)], cleanup);
}
