import { join } from "node:path";
import type { RunningChild } from "../child-process.ts";
import type { Cleanup } from "../cleanup.ts";
import { startPeer } from "./start-peer.ts";

/** Starts a reverse proxy that does nothing else, or asks a gateway and reports, too. `ready` is its URL. */
export function startPlainProxy(
  upstream: string,
  cleanup: Cleanup,
  gateway: string | null = null,
): Promise<RunningChild> {
  const args = gateway === null ? [upstream] : [upstream, gateway];
  return startPeer(join(import.meta.dirname, "plain-proxy.ts"), args, cleanup);
}
