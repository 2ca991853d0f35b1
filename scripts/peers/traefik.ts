import * as fs from "node:fs";
import { join } from "node:path";
import { isOnPath } from "./find-on-path.ts";
import { fillKept, linkKept } from "./kept-folder.ts";
import type { Peer } from "./peer.ts";
import { runCommand } from "./run-command.ts";

/** The release that the shipped configuration is tested with. */
const TRAEFIK_VERSION = "3.6.0";
const MODULE = `github.com/traefik/traefik/v3@v${TRAEFIK_VERSION}`;

/** Longest download and build, in milliseconds. Two busy cores need a third of it. */
const BUILD_TIMEOUT_MS = 30 * 60_000;

const KEPT = { link: "traefik", folder: `traefik-${TRAEFIK_VERSION}` };

/** No package registry has it, so Go builds it from the Go module proxy, once for each user. */
export const traefik: Peer = {
  name: "traefik",
  purpose: "a reverse proxy that asks through forward auth; Go builds it, which takes about six minutes",
  downloadMb: 365,
  isPresent: () => Boolean(process.env["SVC_TEST_TRAEFIK"]) || linkKept(KEPT),
  obstacle: () => (isOnPath("go") ? null : "this machine has no Go"),
  install: () => fillKept(KEPT, build),
};

async function build(folder: string): Promise<void> {
  const source = join(folder, "source");
  fs.cpSync(await downloadedModule(folder), source, { recursive: true });
  makeWritable(source);
  // The module does not contain the built dashboard, which the program embeds and the tests do not use.
  const dashboard = join(source, "webui", "static");
  fs.mkdirSync(dashboard, { recursive: true });
  fs.writeFileSync(join(dashboard, "index.html"), "");
  await go(source, "build", "-trimpath", "-ldflags=-s -w", "-o", join(folder, "traefik"), "./cmd/traefik");
  fs.rmSync(source, { recursive: true });
}

async function downloadedModule(folder: string): Promise<string> {
  const printed = await go(folder, "mod", "download", "-json", MODULE);
  const { Dir } = JSON.parse(printed) as { readonly Dir?: string };
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

function go(cwd: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOFLAGS: "-buildvcs=false" };
  return runCommand("go", args, { cwd, env, timeoutMs: BUILD_TIMEOUT_MS });
}
