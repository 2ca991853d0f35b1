import type { Starter } from "../starter.ts";

export const postgres: Starter = {
  name: "postgres",
  package: "@modelcontextprotocol/server-postgres",
  registry: "npm",
  version: "0.6.2",
  isArchived: true,
  tools: {
    query: "destroys",
  },
  covers: {},
};
