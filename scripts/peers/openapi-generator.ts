import type { Peer } from "./peer.ts";
import { pinnedPython } from "./pinned-python.ts";

export const openapiGenerator: Peer = pinnedPython({
  name: "openapi-generator",
  purpose: "generates a client in Go from the description of the API",
  downloadMb: 34,
  folders: { "openapi-generator": "api/python/openapi-generator.txt" },
});
