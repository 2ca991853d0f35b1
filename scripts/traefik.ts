/**
 * Gets the Traefik that the end-to-end tests start. No package registry has it, so Go builds it from the Go
 * module proxy: about six minutes on two cores, once for each user.
 */
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { ensureKeptPeer } from "./kept-peer.ts";
import { isOnPath } from "./system-tools.ts";

/** The release that the shipped configuration is tested with. */
const TRAEFIK_VERSION = "3.6.0";
const MODULE = `github.com/traefik/traefik/v3@v${TRAEFIK_VERSION}`;

/** Longest download and build, in milliseconds. Two busy cores need a third of it. */
const BUILD_TIMEOUT_MS = 30 * 60_000;

/** Builds Traefik when it is not there as pinned and Go is; says so when it cannot. */
export async function ensureTraefik(say: (line: string) => void): Promise<void> {
  if (process.env["SVC_TEST_TRAEFIK"]) return;
  if (!isOnPath("go") && !process.env["CI"]) {
    say("traefik: not built, its tests are skipped: this machine has no Go");
    return;
  }
  const cost = "Go builds it, the first time takes about six minutes";
  await ensureKeptPeer({ name: "traefik", folder: `traefik-${TRAEFIK_VERSION}`, cost, install }, say);
}

function install(folder: string): void {
  const source = join(folder, "source");
  fs.cpSync(downloadedModule(folder), source, { recursive: true });
  makeWritable(source);
  // The module holds no built dashboard, and the program embeds that folder; the tests use no dashboard.
  const dashboard = join(source, "webui", "static");
  fs.mkdirSync(dashboard, { recursive: true });
  fs.writeFileSync(join(dashboard, "index.html"), "");
  go(source, "build", "-trimpath", "-ldflags=-s -w", "-o", join(folder, "traefik"), "./cmd/traefik");
  fs.rmSync(source, { recursive: true });
}

function downloadedModule(folder: string): string {
  const { Dir } = JSON.parse(go(folder, "mod", "download", "-json", MODULE)) as { readonly Dir?: string };
  if (Dir === undefined) throw new Error(`${MODULE}: expected a folder of the downloaded module, found none`);
  return Dir;
}

/** Go keeps modules read-only. */
function makeWritable(folder: string): void {
  fs.chmodSync(folder, 0o755);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
  }
}

/** @returns what it printed. @throws with the end of that when it failed. */
function go(cwd: string, ...args: string[]): string {
  const env = { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOFLAGS: "-buildvcs=false" };
  const options = { cwd, env, encoding: "utf8", input: "", timeout: BUILD_TIMEOUT_MS } as const;
  const result = spawnSync("go", args, { ...options, maxBuffer: Number.POSITIVE_INFINITY });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${result.stdout}${result.stderr}`.slice(-2_000));
  return result.stdout;
}
