/**
 * Runs the tests: npm test [-- vitest arguments]. Unit tests run first, then the end-to-end tests one file at
 * a time. The last line counts them. The exit code is non-zero on a failure, when no test ran, and in CI
 * on a skip.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bootstrapOrExit } from "./bootstrap.mjs";
import { ensureEnvoy } from "./envoy.ts";
import { ensureInspector } from "./inspector.ts";
import { ensureLitellm } from "./litellm.ts";
import { ensurePortkey } from "./portkey.ts";
import { ensurePythonMcp } from "./python-mcp.ts";
import { ensureSystemTools, serverFolders } from "./system-tools.ts";
import { countTests, findComplaint, renderCounts, type TestReport } from "./test-report.ts";
import { ensureTraefik } from "./traefik.ts";
import { root, toolEnvironment, toolsDir } from "./toolchain.mjs";

const cache = join(toolsDir, "cache");
const reportFile = join(cache, `test-report-${process.pid}.json`);

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function runVitest(args: readonly string[]): number {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  const environment = toolEnvironment();
  const result = spawnSync(
    process.execPath,
    [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--passWithNoTests", ...reporters, ...args],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...environment, PATH: [environment["PATH"], ...serverFolders].join(":") },
    },
  );
  if (result.error) say(`vitest could not be started: ${result.error.message}`);
  return result.status ?? 1;
}

function readReport(): TestReport {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8")) as TestReport;
  } catch (error) {
    say(`vitest left no report: ${String(error)}`);
    return { testResults: [] };
  } finally {
    rmSync(reportFile, { force: true });
  }
}

const args = process.argv.slice(2);
const asked = args.join(" ");
const unitsOnly = /--project[ =]unit\b/.test(asked) && !asked.includes("e2e");
if (!unitsOnly) {
  // The end-to-end tests start what was built.
  await bootstrapOrExit({});
  ensureSystemTools(say);
  ensureEnvoy(say);
  ensureInspector(say);
  await ensurePythonMcp(say);
  ensurePortkey(say);
  await ensureLitellm(say);
  await ensureTraefik(say);
}
mkdirSync(cache, { recursive: true });
const exitCode = runVitest(args);
const counts = countTests(readReport());
const complaint = findComplaint(counts, Boolean(process.env["CI"]));
if (complaint) say(`The tests did not pass: ${complaint}.`);
process.stdout.write(`\n${renderCounts(counts)}\n`);
process.exit(exitCode === 0 && complaint ? 1 : exitCode);
