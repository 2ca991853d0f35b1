import { join } from "node:path";
import type { RunningChild } from "../child-process.ts";
import type { Cleanup } from "../cleanup.ts";
import { startPeer } from "./start-peer.ts";

/** Starts an external processor that lets everything pass, or asks a gateway first. `ready` is its URL. */
export function startDoNothingProcessor(
  cleanup: Cleanup,
  gateway: string | null = null,
): Promise<RunningChild> {
  const args = gateway === null ? [] : [gateway];
  return startPeer(join(import.meta.dirname, "do-nothing-processor.ts"), args, cleanup);
}
