import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installFrameworks, pinsOf } from "../peers/typescript-frameworks.ts";
import type { MatrixSource } from "./matrix-source.ts";

/** Subpath of the adapter to the package that is the framework. */
export const PACKAGES = {
  "ai-sdk": "ai",
  "claude-agent": "@anthropic-ai/claude-agent-sdk",
  "google-adk": "@google/adk",
  langchain: "langchain",
  mastra: "@mastra/core",
  "mcp-server": "@modelcontextprotocol/server",
  "openai-agents": "@openai/agents",
  strands: "@strands-agents/sdk",
} as const;

interface Pins {
  readonly dependencies: Readonly<Record<string, string>>;
}

export const typescriptSource: MatrixSource = {
  language: "TypeScript",
  testFile: "e2e/clients/typescript-frameworks.test.ts",
  suite: "adapters of the TypeScript library",
  peers: [],
  frameworks: (age) => {
    const { dependencies } = JSON.parse(readFileSync(join(pinsOf(age), "package.json"), "utf8")) as Pins;
    return Object.entries(PACKAGES).map(([name, framework]) => {
      const version = dependencies[framework];
      if (version === undefined) throw new Error(`${pinsOf(age)}: expected a version of ${framework}`);
      return { name, release: `${framework} ${version}` };
    });
  },
  // They share one folder.
  install: installFrameworks,
};
