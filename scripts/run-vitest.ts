import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FileTimes, parseTimes, renderSlowest } from "./file-times.ts";
import { serverFolders } from "./peers/find-on-path.ts";
import type { Stage } from "./test-files.ts";
import { type TestReport, withHookFailures } from "./test-report.ts";
import { root, toolEnvironment, toolsDir } from "./toolchain.mjs";

export interface StageResult {
  readonly exitCode: number;
  readonly report: TestReport;
  readonly times: readonly FileTimes[];
  readonly seconds: number;
}

/** Runs the files of one stage that the arguments select, with these peers. */
export async function runVitest(
  stage: Stage,
  peers: readonly string[],
  args: readonly string[],
): Promise<StageResult> {
  const cache = join(toolsDir, "cache");
  const reportFile = join(cache, `test-report-${process.pid}.json`);
  mkdirSync(cache, { recursive: true });
  const timesFile = join(cache, `test-times-${process.pid}.jsonl`);
  writeFileSync(timesFile, "");
  const hooksFile = join(cache, `test-hook-failures-${process.pid}.jsonl`);
  writeFileSync(hooksFile, "");
  const environment = toolEnvironment();
  const progress = join(root, "scripts", "progress-reporter.ts");
  const reporters = [`--reporter=${progress}`, "--reporter=json", `--outputFile.json=${reportFile}`];
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--passWithNoTests", ...reporters, ...args],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        ...environment,
        PATH: [environment["PATH"], ...serverFolders].join(":"),
        SVC_TEST_STAGE: stage,
        SVC_TEST_PEERS: peers.join(","),
        SVC_TEST_TIMES: timesFile,
        SVC_TEST_HOOK_FAILURES: hooksFile,
      },
    },
  );
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.on("close", resolve);
  child.on("error", (error) => {
    process.stderr.write(`vitest could not be started: ${error.message}\n`);
    resolve(null);
  });
  const status = await ended;
  const seconds = Math.round((performance.now() - started) / 1_000);
  const times = parseTimes(readFileSync(timesFile, "utf8"));
  const report = withHookFailures(readReport(reportFile), readFileSync(hooksFile, "utf8"));
  for (const file of [timesFile, hooksFile]) rmSync(file);
  process.stdout.write(`\n${renderSlowest(times, root)}\n`);
  return { exitCode: status ?? 1, report, times, seconds };
}

function readReport(file: string): TestReport {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as TestReport;
  } catch (error) {
    process.stderr.write(`vitest left no report: ${String(error)}\n`);
    return { testResults: [] };
  } finally {
    rmSync(file, { force: true });
  }
}
