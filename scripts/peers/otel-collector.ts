import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { root } from "../toolchain.mjs";
import { isOnPath } from "./find-on-path.ts";
import { fillKept, type KeptFolder, linkKept } from "./kept-folder.ts";
import type { Peer } from "./peer.ts";
import { runCommand } from "./run-command.ts";

/** Longest download and build, in milliseconds. Two busy cores need a fifth of it. */
const BUILD_TIMEOUT_MS = 25 * 60_000;

const SOURCES = join(root, "e2e", "programs", "collector");

/** No package registry has it, so Go builds it from the modules of OpenTelemetry, once for each user. */
export const otelCollector: Peer = {
  name: "otel-collector",
  purpose: "takes the spans and metrics of the programs; Go builds it, which takes about two minutes",
  downloadMb: 90,
  isPresent: () => linkKept(keptFolder()),
  obstacle: () => (isOnPath("go") ? null : "this machine has no Go"),
  install: () =>
    fillKept(keptFolder(), async (empty) => {
      const env = { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local" };
      const args = ["build", "-trimpath", "-ldflags=-s -w", "-o", join(empty, "otel-collector"), "."];
      await runCommand("go", args, { cwd: SOURCES, env, timeoutMs: BUILD_TIMEOUT_MS });
    }),
};

/** Other sources or other versions are another program. */
function keptFolder(): KeptFolder {
  const digest = createHash("sha256");
  for (const name of ["main.go", "go.mod", "go.sum"]) digest.update(fs.readFileSync(join(SOURCES, name)));
  return { link: "otel-collector", folder: `otel-collector-${digest.digest("hex").slice(0, 16)}` };
}
