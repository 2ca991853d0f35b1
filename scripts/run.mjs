// Runs one of the workspace's tools under the pinned Node: node scripts/run.mjs <tool> [arguments].
// The tool is a binary of node_modules/.bin, `node`, or `pnpm`.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { bootstrapOrExit } from "./bootstrap.mjs";
import * as tools from "./toolchain.mjs";

const [tool, ...args] = process.argv.slice(2);
if (!tool) {
  process.stderr.write("usage: node scripts/run.mjs <tool> [arguments]\n");
  process.exit(2);
}
// pnpm must run before the lockfile can be right, so nothing is installed for it.
await bootstrapOrExit(tool === "pnpm" ? { build: false, dependencies: false } : { build: false });
const [command, commandArgs] = tool === "pnpm" ? [tools.nodePath, [tools.pnpmScript, ...args]] : [tool, args];
const child = spawn(command, commandArgs, {
  cwd: tools.root,
  env: tools.toolEnvironment(),
  stdio: "inherit",
  shell: process.platform === "win32",
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  process.stderr.write(`${tool} could not be started: ${error.message}\n`);
  process.exit(127);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
