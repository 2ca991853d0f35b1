import type { Starter } from "../starter.ts";

export const context7: Starter = {
  name: "context7",
  package: "@upstash/context7-mcp",
  registry: "npm",
  version: "4.1.1",
  tools: {
    "resolve-library-id": "reads",
    "query-docs": "reads",
  },
  covers: {},
};
