import type { Starter } from "../starter.ts";

export const braveSearch: Starter = {
  name: "brave-search",
  package: "@brave/brave-search-mcp-server",
  registry: "npm",
  version: "2.1.4",
  tools: {
    brave_web_search: "reads",
    brave_local_search: "reads",
    brave_video_search: "reads",
    brave_image_search: "reads",
    brave_news_search: "reads",
    brave_summarizer: "reads",
    brave_llm_context: "reads",
    brave_place_search: "reads",
  },
  covers: {},
};
