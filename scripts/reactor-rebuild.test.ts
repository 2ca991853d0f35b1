// peers: go
// long: Go builds OPA
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "./peers/run-command.ts";
import { readDescription } from "./reactor-files.ts";
import { root } from "./toolchain.mjs";

/** Commits within which a change of the sources has to be built again, as count. */
const RECENT = 10;

const BUILD_TIMEOUT_MS = 20 * 60_000;

/** In the long run, and in CI after a change of the sources or of Go: the build takes minutes. */
function mustRebuild(): boolean {
  if (process.env["SVC_TEST_RUNS"] === "long") return true;
  return Boolean(process.env["CI"]) && (hasOtherGo() || hasChanged());
}

function hasOtherGo(): boolean {
  return execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim() !== readDescription().go;
}

function hasChanged(): boolean {
  const recent = ["log", `-${String(RECENT)}`, "--format=%H"];
  const commits = execFileSync("git", recent, { cwd: root, encoding: "utf8" }).trim().split("\n");
  const sources = ["packages/rego/reactor", "scripts/build-reactor.ts", "scripts/limit-memory.ts"];
  const log = ["log", `-${String(RECENT)}`, "--format=%H", "--", ...sources];
  const changes = execFileSync("git", log, { cwd: root, encoding: "utf8" }).trim().split("\n");
  return changes.some((commit) => commits.includes(commit));
}

test(
  "the sources of the program that runs Rego give the bytes that are packed",
  async () => {
    if (!mustRebuild()) return;
    const args = [join(root, "scripts/build-reactor.ts"), "--check"];
    expect(await runCommand(process.execPath, args, { timeoutMs: BUILD_TIMEOUT_MS })).toBe("");
  },
  BUILD_TIMEOUT_MS,
);
