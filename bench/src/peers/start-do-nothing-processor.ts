import { join } from "node:path";
import type { RunningChild } from "../child-process.ts";
import type { Cleanup } from "../cleanup.ts";
import { startPeer } from "./start-peer.ts";

/** Starts an external processor that lets everything pass. `ready` is its address as a URL. */
export function startDoNothingProcessor(cleanup: Cleanup): Promise<RunningChild> {
  return startPeer(join(import.meta.dirname, "do-nothing-processor.ts"), [], cleanup);
}
