/** Gets the LiteLLM proxy that the end-to-end tests start: 700 MB of Python packages. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureKeptPeer } from "./kept-peer.ts";
import { root } from "./toolchain.mjs";

/** Every release that it consists of. */
const pins = join(root, "e2e", "guardrail", "litellm", "requirements.txt");

/** Installs LiteLLM when it is not there as pinned and can be had; says so when it cannot. */
export function ensureLitellm(say: (line: string) => void): Promise<void> {
  const folder = `litellm-${pinnedVersion()}-${digestOfPins()}`;
  return ensureKeptPeer({ name: "litellm", folder, cost: "the first time takes minutes", install }, say);
}

function pinnedVersion(): string {
  return /^litellm==(.+)$/m.exec(readFileSync(pins, "utf8"))?.[1] ?? "unpinned";
}

function digestOfPins(): string {
  return createHash("sha256").update(readFileSync(pins)).digest("hex").slice(0, 12);
}

function install(folder: string): void {
  const args = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, "-r", pins];
  const result = spawnSync("python3", args, { encoding: "utf8", input: "" });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${result.stdout}${result.stderr}`.slice(-2_000));
}
