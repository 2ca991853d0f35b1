// Builds Open Policy Agent for the benchmarks, once for each user, and links to it from .tools.
import { join } from "node:path";
import { fillKept, linkKept } from "./peers/kept-folder.ts";
import { runCommand } from "./peers/run-command.ts";

/** The release that docs/PERFORMANCE.md names. */
const OPA_VERSION = "1.22.2";

/** Longest download and build, in milliseconds. Two busy cores need a third of it. */
const BUILD_TIMEOUT_MS = 20 * 60_000;

const KEPT = { link: "opa", folder: `opa-${OPA_VERSION}` };

if (!linkKept(KEPT)) {
  process.stderr.write(`opa ${OPA_VERSION}: Go builds it once, which takes some minutes\n`);
  await fillKept(KEPT, async (empty) => {
    const env = { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOBIN: join(empty, "bin") };
    const program = `github.com/open-policy-agent/opa@v${OPA_VERSION}`;
    const args = ["install", "-trimpath", "-ldflags=-s -w", program];
    await runCommand("go", args, { cwd: empty, env, timeoutMs: BUILD_TIMEOUT_MS });
  });
}
