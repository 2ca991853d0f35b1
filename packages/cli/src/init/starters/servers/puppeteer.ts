import type { Starter } from "../starter.ts";

export const puppeteer: Starter = {
  name: "puppeteer",
  package: "@modelcontextprotocol/server-puppeteer",
  registry: "npm",
  version: "2025.5.12",
  isArchived: true,
  tools: {
    puppeteer_navigate: "changes",
    puppeteer_screenshot: "reads",
    puppeteer_click: "destroys",
    puppeteer_fill: "destroys",
    puppeteer_select: "destroys",
    puppeteer_hover: "reads",
    puppeteer_evaluate: "destroys",
  },
  covers: {},
};
