import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Cleanup } from "../cleanup.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Load, type LoadGenerator, type LoadResult, requireAllAnswered } from "./load-generator.ts";

const MICROSECONDS_PER_MS = 1_000;

/** Grace in milliseconds beyond the load's own length. */
const GRACE_MS = 30_000;

const SCRIPT = join(import.meta.dirname, "post.lua");

/** wrk: one thread with epoll, so that it takes little of the processor from what it measures. */
export function wrkGenerator(program: string): LoadGenerator {
  return { name: "wrk", run: (load, cleanup) => runWrk(program, load, cleanup) };
}

async function runWrk(program: string, load: Load, cleanup: Cleanup): Promise<LoadResult> {
  const bodies = join(await temporaryFolder(tmpdir(), cleanup), "bodies");
  await writeFile(bodies, load.bodies.join("\n"));
  const flags = [
    "--threads",
    "1",
    "--connections",
    String(load.connections),
    "--duration",
    `${load.seconds}s`,
  ];
  const running = promisify(execFile)(program, [...flags, "--script", SCRIPT, load.url, "--", bodies], {
    timeout: load.seconds * 1_000 + GRACE_MS,
  });
  cleanup.defer(async () => {
    running.child.kill();
    await Promise.allSettled([running]);
  });
  const { stdout } = await running;
  return readSummary(stdout, load);
}

/** The script writes one JSON line behind wrk's own report. */
function readSummary(output: string, load: Load): LoadResult {
  const line = output.split("\n").findLast((candidate) => candidate.startsWith("{"));
  if (line === undefined) throw new Error(`wrk wrote no summary:\n${output}`);
  const summary = JSON.parse(line) as Record<
    "requests" | "duration_us" | "failures" | "p50_us" | "p99_us",
    number
  >;
  requireAllAnswered(summary.failures, load);
  return {
    requests: summary.requests,
    requestsPerSecond: summary.requests / (summary.duration_us / 1_000_000),
    p50Ms: summary.p50_us / MICROSECONDS_PER_MS,
    p99Ms: summary.p99_us / MICROSECONDS_PER_MS,
  };
}
