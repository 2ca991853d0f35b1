import type { Peer } from "./peer.ts";
import { pinnedPython } from "./pinned-python.ts";

export const hadolint: Peer = pinnedPython({
  name: "hadolint",
  purpose: "judges the Dockerfile",
  downloadMb: 12,
  folders: { hadolint: "shipping/python/hadolint.txt" },
});
