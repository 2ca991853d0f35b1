import type { Peer } from "./peer.ts";
import { pinnedPython } from "./pinned-python.ts";

export const moto: Peer = pinnedPython({
  name: "moto",
  purpose: "a store of objects that checks signatures as S3 does",
  downloadMb: 28,
  folders: { moto: "api/python/moto.txt" },
});
