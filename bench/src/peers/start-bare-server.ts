import { join } from "node:path";
import { startChild } from "../child-process.ts";
import type { Cleanup } from "../cleanup.ts";

const ENTRY = join(import.meta.dirname, "bare-server.ts");
const READY = "listening ";

/** Starts the baseline in a process of its own. @returns its URL. */
export async function startBareServer(verdict: object, cleanup: Cleanup): Promise<string> {
  const child = await startChild([process.execPath, ENTRY, JSON.stringify(verdict)], {
    readiness: { kind: "line", read: (line) => (line.startsWith(READY) ? line.slice(READY.length) : null) },
    cleanup,
  });
  return child.ready;
}
