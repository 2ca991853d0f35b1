/**
 * Every check, and the quick tests of tables and documents, or the checks that are named: npm run check
 * [-- <script> ...]. Two run at a time. Shows the output of those that fail.
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { root, toolEnvironment } from "./toolchain.mjs";

const ALL = ["typecheck", "lint", "tables", "deps", "knip", "tidy", "format:check", "budget"];

const named = process.argv.slice(2);
const checks = named.length > 0 ? named : ALL;

type Outcome = { readonly name: string; readonly passed: boolean; readonly output: string };

async function runCheck(name: string): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const child = spawn("npm", ["run", "--silent", name], {
    cwd: root,
    env: toolEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk.toString("utf8");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  child.on("error", (error) => resolve({ name, passed: false, output: error.message }));
  child.on("close", (code) => resolve({ name, passed: code === 0, output }));
  return promise;
}

const waiting = [...checks];
const failed: string[] = [];

async function work(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const started = performance.now();
    const { passed, output } = await runCheck(name);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    if (!passed) {
      failed.push(name);
      process.stdout.write(`${output.trimEnd()}\n`);
    }
    process.stdout.write(`${passed ? "ok    " : "FAILED"} ${name} (${seconds} s)\n`);
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
if (failed.length > 0) process.stdout.write(`check: ${failed.join(", ")} failed\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
