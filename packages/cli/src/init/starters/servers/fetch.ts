import type { Starter } from "../starter.ts";

export const fetch: Starter = {
  name: "fetch",
  package: "mcp-server-fetch",
  registry: "PyPI",
  version: "2026.10.24",
  tools: {
    fetch: "changes",
  },
  covers: {},
};
