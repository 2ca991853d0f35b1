import { join } from "node:path";
import type { RunningChild } from "../child-process.ts";
import type { Cleanup } from "../cleanup.ts";
import { startPeer } from "./start-peer.ts";

/** Starts a reverse proxy that does nothing else. `ready` is its URL. */
export function startPlainProxy(upstream: string, cleanup: Cleanup): Promise<RunningChild> {
  return startPeer(join(import.meta.dirname, "plain-proxy.ts"), [upstream], cleanup);
}
