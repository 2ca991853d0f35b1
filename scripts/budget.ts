/**
 * What a whole run of npm test may take. A figure is processor time on a quiet core of the machine on which
 * it was set; a run compares it with its own, times how much slower a fixed piece of work was then.
 */
import { join } from "node:path";
import type { Stage, TestFile } from "./test-files.ts";
import { toolsDir } from "./toolchain.mjs";

/** Where a whole run of npm test is recorded. */
export const RUN_FILE = join(toolsDir, "cache", "test-run.json");

/** Processor time of each file, from the root, and of the fixed piece of work before them. */
export interface MeasuredRun {
  readonly workMs: number;
  readonly files: readonly { readonly path: string; readonly processorMs: number }[];
}

/** Milliseconds of the fixed piece of work on the machine on which the budget was set, while it was quiet. */
const WORK_MS = 76;

/** Processor time of a file without a line `// long:`. A file above it takes more than a capability may. */
const FILE_MS = 10_000;

/**
 * Processor time of the files of a stage together, of which two cores take half. It may only fall. A whole
 * run with all peers took 328, 480 and 1,207 s, by the fixed piece of work.
 */
const STAGE_MS: Readonly<Record<Stage, number>> = {
  "in-process": 345_000,
  programs: 500_000,
  peers: 1_280_000,
};

const ROUNDS = 3;
const STEPS = 500_000;

/** The fixed piece of work: the fastest of a few rounds, in milliseconds of this thread. */
export function measureWork(): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    let text = "";
    for (let at = 0; at < STEPS; at += 1) text = JSON.stringify({ at, text: text.slice(0, 20) });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...rounds);
}

/** A sentence for each file, and for each stage, that took more than its budget. */
export function overBudget(
  { workMs, files }: MeasuredRun,
  declared: readonly (Pick<TestFile, "path" | "isLong"> & { readonly stage: Stage })[],
): readonly string[] {
  const slowness = Math.max(1, workMs / WORK_MS);
  const messages: string[] = [];
  const sums = new Map<Stage, number>();
  for (const { path, processorMs } of files) {
    const file = declared.find((each) => each.path === path);
    if (file === undefined) continue;
    const ms = processorMs / slowness;
    sums.set(file.stage, (sums.get(file.stage) ?? 0) + ms);
    if (!file.isLong && ms > FILE_MS)
      messages.push(`${path}: ${inSeconds(ms)}, expected at most ${inSeconds(FILE_MS)} or a line // long:`);
  }
  for (const [stage, ms] of sums)
    if (ms > STAGE_MS[stage])
      messages.push(`stage ${stage}: ${inSeconds(ms)}, expected at most ${inSeconds(STAGE_MS[stage])}`);
  return messages;
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s of processor time`;
}
