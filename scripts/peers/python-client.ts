import type { Peer } from "./peer.ts";
import { pinnedPython } from "./pinned-python.ts";

export const pythonClient: Peer = pinnedPython({
  name: "python-client",
  purpose: "checks, tests and builds the Python client",
  downloadMb: 49,
  folders: { "python-client": "clients/python/tools.txt" },
});
