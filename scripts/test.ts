/**
 * Runs the tests: npm test [-- --peers none|small|all] [vitest arguments]. Three stages: tests in this
 * process, tests of our own programs, tests with programs of others, which are installed first. A stage runs
 * when those before it passed, and in CI in any case. A file that fails is a failure; only the files of
 * e2e/unsteady.txt may fail. The last line counts all tests; the exit code is non-zero on a failure, when no
 * test ran, and in CI on a skip.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { bootstrapOrExit } from "./bootstrap.mjs";
import { measureWork, RUN_FILE } from "./budget.ts";
import { ensurePeers } from "./peers/ensure-peers.ts";
import { isChosen, type Peer } from "./peers/peer.ts";
import { peers } from "./peers/peers.ts";
import { runVitest, type StageResult } from "./run-vitest.ts";
import { selectTestFiles } from "./select-test-files.ts";
import { parseTestArguments, type TestArguments } from "./test-arguments.ts";
import { STAGES, type Stage, stageOf, type TestFile } from "./test-files.ts";
import {
  addCounts,
  countTests,
  failedFiles,
  findComplaint,
  renderCounts,
  renderFailures,
  renderSkips,
  withoutFiles,
} from "./test-report.ts";
import { renderFinding } from "./tidy/finding.ts";
import { root } from "./toolchain.mjs";
import { parseUnsteady, UNSTEADY_LIST } from "./unsteady.ts";

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function readArguments(inCi: boolean): TestArguments {
  try {
    return parseTestArguments(process.argv.slice(2), inCi);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

const inCi = Boolean(process.env["CI"]);
const { peers: choice, forVitest } = readArguments(inCi);
const files = selectTestFiles(root, forVitest);
// End-to-end tests start what was built.
if (files.some(({ kind }) => kind === "e2e")) await bootstrapOrExit({});
const unsteady = parseUnsteady(readFileSync(join(root, UNSTEADY_LIST), "utf8"), {
  nowMs: Date.now(),
  exists: (path) => existsSync(join(root, path)),
});
const workMs = measureWork();

const TITLES: Readonly<Record<Stage, string>> = {
  "in-process": "In process",
  programs: "Programs",
  peers: `Peers (--peers ${choice})`,
};

const results: { readonly title: string; readonly result: StageResult }[] = [];

/** Full paths of the files that failed and may. */
function forgiven({ report }: StageResult): readonly string[] {
  return failedFiles(report).filter((name) => unsteady.files.some(({ path }) => join(root, path) === name));
}

/** The exit code of vitest, or 0 when only unsteady files failed. */
function exitCodeOf(result: StageResult): number {
  const failed = failedFiles(result.report).length;
  return failed > 0 && failed === forgiven(result).length ? 0 : result.exitCode;
}

function renderStage(title: string, { report, seconds }: StageResult): string {
  const skips = renderSkips(report, files).map((line) => `\n  ${line}`);
  return `${title}: ${renderCounts(countTests(report))}, ${String(seconds)} s${skips.join("")}`;
}

/** Installs the chosen peers that the files declare. */
async function preparePeers(ofPeers: readonly TestFile[]): Promise<readonly Peer[]> {
  const declared = peers.filter(({ name }) => ofPeers.some((file) => file.peers.includes(name)));
  const chosen = declared.filter((peer) => isChosen(peer, choice));
  for (const { name, downloadMb, purpose } of declared.filter((peer) => !chosen.includes(peer)))
    say(`${name}: does not take part (--peers ${choice}); ${String(downloadMb)} MB, ${purpose}`);
  await ensurePeers(chosen, say);
  return peers.filter((peer) => isChosen(peer, choice));
}

/** In CI every stage runs: what does not change the machine is downloaded beside the stage before it. */
async function installEarly(): Promise<void> {
  if (!inCi) return;
  const declared = new Set(files.flatMap((file) => file.peers));
  const early = peers.filter((peer) => declared.has(peer.name) && peer.isOfMachine !== true);
  await ensurePeers(
    early.filter((peer) => isChosen(peer, choice)),
    say,
  );
}

for (const stage of STAGES) {
  const ofStage = files.filter((file) => stageOf(file) === stage);
  // Without any file, vitest says what its arguments did not match.
  if (ofStage.length === 0 && (files.length > 0 || stage !== STAGES[0])) continue;
  const title = TITLES[stage];
  if (!inCi && results.some(({ result }) => exitCodeOf(result) !== 0)) {
    say(`${title}: did not run, because a stage before it failed; in CI it runs in any case.`);
    continue;
  }
  const chosen = stage === "peers" ? await preparePeers(ofStage) : [];
  const names = chosen.map(({ name }) => name);
  const [result] = await Promise.all([
    runVitest(stage, names, forVitest),
    stage === "programs" ? installEarly() : undefined,
  ]);
  results.push({ title, result });
  process.stdout.write(`\n${renderStage(title, result)}\n`);
}

// A run of chosen files says nothing about the budget of all of them.
if (forVitest.length === 0 && process.env["SVC_TEST_RUNS"] === undefined) {
  const times = results.flatMap(({ result }) => result.times);
  const measured = times.map(({ name, processorMs }) => ({ path: relative(root, name), processorMs }));
  writeFileSync(RUN_FILE, JSON.stringify({ workMs, files: measured }));
}

process.stdout.write("\n");
for (const { title, result } of results) process.stdout.write(`${renderStage(title, result)}\n`);
const total = addCounts(
  results.map(({ result }) => countTests(withoutFiles(result.report, forgiven(result)))),
);
const complaint = findComplaint(total, { skipsFail: inCi && choice === "all" });
// Last, so that the end of a long log says what failed.
for (const line of results.flatMap(({ result }) => renderFailures(result.report, root)))
  say(`FAILED ${line}`);
if (complaint) say(`The tests did not pass: ${complaint}.`);
for (const name of results.flatMap(({ result }) => forgiven(result)))
  say(`UNSTEADY ${relative(root, name)}: it failed, and ${UNSTEADY_LIST} lets it`);
for (const finding of unsteady.findings) say(renderFinding(finding));
process.stdout.write(`Tests: ${renderCounts(total)}\n`);
const failedCode = results.map(({ result }) => exitCodeOf(result)).find((code) => code !== 0) ?? 0;
process.exit(failedCode === 0 && (complaint || unsteady.findings.length > 0) ? 1 : failedCode);
