/**
 * Runs the tests: npm test [-- --peers none|small|all] [vitest arguments]. Short files run first, then long
 * ones; then the peers are installed and the files that need them run. A stage runs when those before it
 * passed, and in CI in any case. In a run of all tests, files that failed run once more by themselves, and
 * those that pass then are named at the end. The last line counts all tests; the exit code is non-zero on a
 * failure, when no test ran, and in CI on a skip.
 */
import { relative } from "node:path";
import { bootstrapOrExit } from "./bootstrap.mjs";
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
  filesToRepeat,
  findComplaint,
  renderCounts,
  renderSkips,
  withRepeats,
} from "./test-report.ts";
import { root } from "./toolchain.mjs";

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

const results: StageResult[] = [];

const TITLES: Readonly<Record<Stage, string>> = {
  first: "First stage, short tests",
  long: "Second stage, long tests",
  peers: `Third stage, with peers (--peers ${choice})`,
};

/** Files that failed beside others and passed by themselves, from the root. */
const unsteady: string[] = [];

/** Runs failed files once more, by themselves. Somebody who chose files wants to see the first result. */
function repeatFailed(stage: Stage, names: readonly string[], first: StageResult): StageResult {
  const failed = forVitest.length > 0 ? [] : filesToRepeat(first.report);
  if (failed.length === 0) return first;
  const paths = failed.map((name) => relative(root, name));
  say(`Failed, and run again by themselves: ${paths.join(", ")}`);
  const again = runVitest(stage, names, ["--no-file-parallelism", ...paths]);
  const stillFailed = failedFiles(again.report);
  unsteady.push(...failed.filter((name) => !stillFailed.includes(name)).map((name) => relative(root, name)));
  return {
    exitCode: again.exitCode,
    report: withRepeats(first.report, again.report),
    seconds: first.seconds + again.seconds,
  };
}

function runStage(stage: Stage, chosen: readonly Peer[]): void {
  const names = chosen.map(({ name }) => name);
  const result = repeatFailed(stage, names, runVitest(stage, names, forVitest));
  results.push(result);
  const counts = renderCounts(countTests(result.report));
  const skips = renderSkips(result.report, files).map((line) => `\n  ${line}`);
  process.stdout.write(`\n${TITLES[stage]}: ${counts}, ${String(result.seconds)} s${skips.join("")}\n`);
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

for (const stage of STAGES) {
  const ofStage = files.filter((file) => stageOf(file) === stage);
  // Without any file, vitest says what its arguments did not match.
  if (ofStage.length === 0 && (files.length > 0 || stage !== "first")) continue;
  if (!inCi && results.some(({ exitCode }) => exitCode !== 0)) {
    say(`${TITLES[stage]}: did not run, because a stage before it failed; in CI it runs in any case.`);
    continue;
  }
  runStage(stage, stage === "peers" ? await preparePeers(ofStage) : []);
}

const total = addCounts(results.map(({ report }) => countTests(report)));
const complaint = findComplaint(total, { skipsFail: inCi && choice === "all" });
if (complaint) say(`The tests did not pass: ${complaint}.`);
for (const path of unsteady)
  say(`UNSTEADY ${path}: failed beside other tests, passed by itself: a busy machine, or a fault in it`);
process.stdout.write(`\nTests: ${renderCounts(total)}\n`);
const exitCode = results.find((result) => result.exitCode !== 0)?.exitCode ?? 0;
process.exit(exitCode === 0 && complaint ? 1 : exitCode);
