import type { Peer } from "./peer.ts";
import { pinnedPython } from "./pinned-python.ts";

export const schemathesis: Peer = pinnedPython({
  name: "schemathesis",
  purpose: "generates requests from the description of the API",
  downloadMb: 13,
  folders: { schemathesis: "api/python/schemathesis.txt" },
});
