/**
 * Runs the tests: npm test [-- --peers none|small|all] [vitest arguments]. Files that need no peer run first;
 * then the peers are installed and the files that need them run. The last line counts all tests; the exit
 * code is non-zero on a failure, when no test ran, and in CI on a skip.
 */
import { bootstrapOrExit } from "./bootstrap.mjs";
import { ensurePeers } from "./peers/ensure-peers.ts";
import { isChosen, type Peer } from "./peers/peer.ts";
import { peers } from "./peers/peers.ts";
import { runVitest, type Stage, type StageResult } from "./run-vitest.ts";
import { selectTestFiles } from "./select-test-files.ts";
import { parseTestArguments, type TestArguments } from "./test-arguments.ts";
import { addCounts, countTests, findComplaint, renderCounts, renderSkips } from "./test-report.ts";
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

function runStage(stage: Stage, title: string, chosen: readonly Peer[]): void {
  const names = chosen.map(({ name }) => name);
  const result = runVitest(stage, names, forVitest);
  results.push(result);
  const counts = renderCounts(countTests(result.report));
  const skips = renderSkips(result.report, files).map((line) => `\n  ${line}`);
  process.stdout.write(`\n${title}: ${counts}, ${String(result.seconds)} s${skips.join("")}\n`);
}

const ofPeers = files.filter((file) => file.peers.length > 0);
const declared = peers.filter(({ name }) => ofPeers.some((file) => file.peers.includes(name)));
const chosen = peers.filter((peer) => isChosen(peer, choice));

if (ofPeers.length < files.length || files.length === 0) runStage("first", "First stage, without peers", []);
const failed = results.some(({ exitCode }) => exitCode !== 0);
if (ofPeers.length > 0 && failed && !inCi) {
  say("The second stage, with peers, runs when the first one passes; in CI it runs in any case.");
} else if (ofPeers.length > 0) {
  for (const { name, downloadMb, purpose } of declared.filter((peer) => !chosen.includes(peer)))
    say(`${name}: does not take part (--peers ${choice}); ${String(downloadMb)} MB, ${purpose}`);
  await ensurePeers(
    declared.filter((peer) => chosen.includes(peer)),
    say,
  );
  runStage("peers", `Second stage, with peers (--peers ${choice})`, chosen);
}

const total = addCounts(results.map(({ report }) => countTests(report)));
const complaint = findComplaint(total, { skipsFail: inCi && choice === "all" });
if (complaint) say(`The tests did not pass: ${complaint}.`);
process.stdout.write(`\nTests: ${renderCounts(total)}\n`);
const exitCode = results.find((result) => result.exitCode !== 0)?.exitCode ?? 0;
process.exit(exitCode === 0 && complaint ? 1 : exitCode);
