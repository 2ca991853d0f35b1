/**
 * Runs the adapters of the client libraries with the oldest and the newest supported release of every
 * framework, or of the frameworks or the language that it is given, and writes the result into
 * docs/CLIENTS.md: npm run clients:matrix [-- langchain ... | TypeScript].
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Age,
  keyOf,
  type MatrixRow,
  matrixIn,
  type TestResults,
  testNames,
  verdictOf,
  withMatrix,
} from "./matrix/matrix-result.ts";
import type { MatrixSource } from "./matrix/matrix-source.ts";
import { matrixSources } from "./matrix/matrix-sources.ts";
import { ensurePeers } from "./peers/ensure-peers.ts";
import { peers } from "./peers/peers.ts";
import { root, toolEnvironment, toolsDir } from "./toolchain.mjs";

const AGES = ["oldest", "newest"] as const satisfies readonly Age[];
const DOCUMENT = join(root, "docs", "CLIENTS.md");
const DAY = new Date().toISOString().slice(0, "2026-01-01".length);

function runTests({ testFile, suite }: MatrixSource, age: Age, names: ReadonlySet<string>): TestResults {
  const cache = join(toolsDir, "cache");
  mkdirSync(cache, { recursive: true });
  const report = join(cache, `matrix-${process.pid}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", ...reporters, "-t", testNames(suite, names), testFile];
  spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...toolEnvironment(), CI: "1", SVC_TEST_FRAMEWORKS: age },
  });
  const results = JSON.parse(readFileSync(report, "utf8")) as TestResults;
  rmSync(report);
  return results;
}

/** One row for each framework of the language that is asked for. */
async function rowsOf(source: MatrixSource, asked: readonly string[]): Promise<readonly MatrixRow[]> {
  const known = source.frameworks("newest").map(({ name }) => name);
  const isAskedAll = asked.length === 0 || asked.includes(source.language);
  const names = new Set(known.filter((name) => isAskedAll || asked.includes(name)));
  if (names.size === 0) return [];
  const wanted = peers.filter(({ name }) => source.peers.includes(name));
  await ensurePeers(wanted, (line) => void process.stdout.write(`${line}\n`));
  const cells = new Map([...names].map((name) => [name, { oldest: "not run", newest: "not run" }]));
  for (const age of AGES) {
    await source.install(age, names);
    const results = runTests(source, age, names);
    for (const { name, release } of source.frameworks(age)) {
      const row = cells.get(name);
      if (row !== undefined) row[age] = `${release}: ${verdictOf(results, source.suite, name)}`;
    }
  }
  return [...cells].map(([name, of]) => ({ language: source.language, name, cells: of, day: DAY }));
}

const asked = process.argv.slice(2);
const all = matrixSources.flatMap((source) =>
  source.frameworks("newest").map(({ name }) => ({ name, language: source.language })),
);
const known = new Set(all.flatMap(({ name, language }) => [name, language]));
const unknown = asked.filter((name) => !known.has(name));
if (unknown.length > 0)
  throw new Error(`expected ${[...known].toSorted().join(", ")}; found ${unknown.join(", ")}`);

const fresh: MatrixRow[] = [];
for (const source of matrixSources) fresh.push(...(await rowsOf(source, asked)));

const document = readFileSync(DOCUMENT, "utf8");
const rows = new Map([...matrixIn(document), ...fresh].map((row) => [keyOf(row), row]));
const ordered = all.flatMap((framework) => rows.get(keyOf(framework)) ?? []);
writeFileSync(DOCUMENT, withMatrix(document, ordered));
for (const { language, name, cells } of fresh) {
  process.stdout.write(`${language} ${name}: ${cells.oldest}, ${cells.newest}\n`);
}
const failed = fresh.filter(({ cells }) => AGES.some((age) => !cells[age].endsWith(": passed")));
process.exitCode = failed.length === 0 ? 0 : 1;
