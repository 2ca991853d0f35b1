/**
 * Runs the adapters of the client libraries with the oldest and the newest supported release of every
 * framework, and writes the result into docs/CLIENTS.md: npm run clients:matrix.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Age,
  type MatrixFramework,
  type MatrixRow,
  type TestResults,
  verdictOf,
  withMatrix,
} from "./matrix/matrix-result.ts";
import type { MatrixSource } from "./matrix/matrix-source.ts";
import { pythonSource } from "./matrix/python-source.ts";
import { ensurePeers } from "./peers/ensure-peers.ts";
import { peers } from "./peers/peers.ts";
import { root, toolEnvironment, toolsDir } from "./toolchain.mjs";

const SOURCES: readonly MatrixSource[] = [pythonSource];
const AGES = ["oldest", "newest"] as const satisfies readonly Age[];
const DOCUMENT = join(root, "docs", "CLIENTS.md");

function runTests({ testFile }: MatrixSource, age: Age): TestResults {
  const cache = join(toolsDir, "cache");
  mkdirSync(cache, { recursive: true });
  const report = join(cache, `matrix-${process.pid}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  spawnSync(process.execPath, [vitest, "run", ...reporters, testFile], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...toolEnvironment(), CI: "1", SVC_TEST_FRAMEWORKS: age },
  });
  const results = JSON.parse(readFileSync(report, "utf8")) as TestResults;
  rmSync(report);
  return results;
}

async function rowsOf(source: MatrixSource): Promise<readonly MatrixRow[]> {
  const wanted = peers.filter(({ name }) => source.peers.includes(name));
  await ensurePeers(wanted, (line) => void process.stdout.write(`${line}\n`));
  const cells = new Map<string, Record<Age, string>>();
  for (const age of AGES) {
    const frameworks: readonly MatrixFramework[] = await source.install(age);
    const results = runTests(source, age);
    for (const { name, release } of frameworks) {
      const of = cells.get(name) ?? { oldest: "not run", newest: "not run" };
      cells.set(name, { ...of, [age]: `${release}: ${verdictOf(results, source.suite, name)}` });
    }
  }
  return [...cells].map(([name, of]) => ({ language: source.language, name, cells: of }));
}

const rows: MatrixRow[] = [];
for (const source of SOURCES) rows.push(...(await rowsOf(source)));
const day = new Date().toISOString().slice(0, "2026-01-01".length);
writeFileSync(DOCUMENT, withMatrix(readFileSync(DOCUMENT, "utf8"), rows, day));
const failed = rows.filter(({ cells }) => AGES.some((age) => !cells[age].endsWith(": passed")));
for (const { language, name, cells } of rows) {
  process.stdout.write(`${language} ${name}: ${cells.oldest}, ${cells.newest}\n`);
}
process.exitCode = failed.length === 0 ? 0 : 1;
