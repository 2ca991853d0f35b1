/** Compares the last whole run of npm test of this checkout with the budget, if there was one. */
import { existsSync, readFileSync } from "node:fs";
import { type MeasuredRun, overBudget, RUN_FILE } from "./budget.ts";
import { stageOf, testFiles } from "./test-files.ts";
import { root } from "./toolchain.mjs";

if (existsSync(RUN_FILE)) {
  const run = JSON.parse(readFileSync(RUN_FILE, "utf8")) as MeasuredRun;
  const declared = testFiles(root).map((file) => ({ ...file, stage: stageOf(file) }));
  const messages = overBudget(run, declared);
  for (const message of messages) process.stdout.write(`${message}\n`);
  process.exitCode = messages.length === 0 ? 0 : 1;
} else {
  process.stdout.write("budget: no whole run of npm test is recorded in this checkout\n");
}
