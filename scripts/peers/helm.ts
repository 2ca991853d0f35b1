import { join } from "node:path";
import { isOnPath } from "./find-on-path.ts";
import { fillKept, linkKept } from "./kept-folder.ts";
import type { Peer } from "./peer.ts";
import { runCommand } from "./run-command.ts";

/** The release that the chart is tested with. */
const HELM_VERSION = "4.3.1";

/** Longest download and build, in milliseconds. Two busy cores need a fifth of it. */
const BUILD_TIMEOUT_MS = 25 * 60_000;

const KEPT = { link: "helm", folder: `helm-${HELM_VERSION}` };

/** No package registry has it, so Go builds it from the Go module proxy, once for each user. */
export const helm: Peer = {
  name: "helm",
  purpose: "renders the Helm chart; Go builds it, which takes about five minutes",
  downloadMb: 150,
  isPresent: () => linkKept(KEPT),
  obstacle: () => (isOnPath("go") ? null : "this machine has no Go"),
  install: () =>
    fillKept(KEPT, async (empty) => {
      const env = { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOBIN: join(empty, "bin") };
      const program = `helm.sh/helm/v4/cmd/helm@v${HELM_VERSION}`;
      const args = ["install", "-trimpath", "-ldflags=-s -w", program];
      await runCommand("go", args, { cwd: empty, env, timeoutMs: BUILD_TIMEOUT_MS });
    }),
};
