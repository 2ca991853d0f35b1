import { existsSync } from "node:fs";
import { join } from "node:path";
import { type RunningChild, startChild } from "../child-process.ts";
import type { Bench } from "../scenario.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const ENTRY = join(import.meta.dirname, "..", "..", "..", "packages", "server", "dist", "start.js");

/** Starts what `npm start` starts, with every adapter, on free ports and a new database. */
export async function startEverything(bench: Bench): Promise<RunningChild> {
  if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is missing: build first`);
  const free = "127.0.0.1:0";
  // The option and the variables of the allocator are those of the script in package.json.
  return startChild([process.execPath, "--max-semi-space-size=2", ENTRY], {
    env: {
      MALLOC_ARENA_MAX: "2",
      MALLOC_MMAP_THRESHOLD_: "65536",
      MALLOC_TRIM_THRESHOLD_: "65536",
      SVC_LISTEN: free,
      SVC_CHECKGW_LISTEN: free,
      SVC_EXTPROC_LISTEN: free,
      SVC_MCP_LISTEN: free,
      SVC_AGENT_ID: "agent-1",
      SVC_MCP_ID: "bench",
      SVC_MCP_UPSTREAM_URL: "http://127.0.0.1:9/mcp",
      SVC_DATA_DIR: await temporaryFolder(bench.dataFolder, bench.cleanup),
    },
    readiness: { kind: "line", read: (line) => (line.startsWith("Ctrl-C stops") ? line : null) },
    cleanup: bench.cleanup,
  });
}
