import type { Peer } from "./peer.ts";
import { pinnedPython } from "./pinned-python.ts";

export const standardWebhooks: Peer = pinnedPython({
  name: "standardwebhooks",
  purpose: "the stock library in Python that verifies webhooks",
  downloadMb: 1,
  folders: { standardwebhooks: "clients/python/standardwebhooks.txt" },
});
