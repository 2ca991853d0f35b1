import type { Starter } from "../starter.ts";

export const sequentialThinking: Starter = {
  name: "sequential-thinking",
  package: "@modelcontextprotocol/server-sequential-thinking",
  registry: "npm",
  version: "2026.8.31",
  tools: {
    sequentialthinking: "reads",
  },
  covers: {},
};
