import type { Starter } from "../starter.ts";

export const tavily: Starter = {
  name: "tavily",
  package: "tavily-mcp",
  registry: "npm",
  version: "0.2.22",
  tools: {
    tavily_search: "reads",
    tavily_extract: "changes",
    tavily_crawl: "changes",
    tavily_map: "changes",
    tavily_research: "changes",
  },
  covers: {},
};
