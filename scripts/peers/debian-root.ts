import { join } from "node:path";
import { isOnPath } from "./find-on-path.ts";
import { fillKept, linkKept } from "./kept-folder.ts";
import type { Peer } from "./peer.ts";
import { runCommand } from "./run-command.ts";

/** The release that the base image of docker/Dockerfile is made from. */
const SUITE = "bookworm";

const KEPT = { link: "debian-root", folder: `debian-root-${SUITE}` };

/** Debian's minimal system as an archive, from Debian's own packages: tests build the image upon it. */
export const debianRoot: Peer = {
  name: "debian-root",
  purpose: "Debian's minimal system, which stands in for the base of the container image",
  downloadMb: 45,
  isPresent: () => linkKept(KEPT),
  obstacle: () => (isOnPath("mmdebstrap") ? null : "this machine has no mmdebstrap"),
  install: () =>
    fillKept(KEPT, async (empty) => {
      const args = ["--quiet", "--variant=minbase", "--include=ca-certificates", SUITE];
      await runCommand("mmdebstrap", [...args, join(empty, "root.tar")]);
    }),
};
