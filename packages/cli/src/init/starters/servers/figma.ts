import type { Starter } from "../starter.ts";

export const figma: Starter = {
  name: "figma",
  package: "figma-developer-mcp",
  registry: "npm",
  version: "0.13.2",
  tools: {
    get_figma_data: "reads",
    download_figma_images: "destroys",
  },
  covers: {},
};
