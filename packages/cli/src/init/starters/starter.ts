import type { StartingTool, ToolEffect } from "../starting-tool.ts";

/** What is known of the tools of one MCP server, from a list that the server itself has given. */
export interface Starter {
  readonly name: string;
  readonly package: string;
  readonly registry: "npm" | "PyPI";
  /** The version that gave the list. */
  readonly version: string;
  /** What each tool does, by name, in the order of the list. */
  readonly tools: Readonly<Record<string, ToolEffect>>;
  /** Arguments with whose values an approval of a tool also holds for later calls. */
  readonly covers: Readonly<Record<string, readonly string[]>>;
}

/** The tools of the server, as the starter policy treats them. */
export function toolsOfStarter({ tools, covers }: Starter): readonly StartingTool[] {
  return Object.entries(tools).map(([name, effect]): StartingTool => {
    const paths = covers[name];
    return paths === undefined ? { name, effect } : { name, effect, covers: paths };
  });
}

/**
 * What the starter policy says of tools that a server has listed. It knows its tools by name. Another tool
 * keeps what is said of it.
 */
export function asStarterSays(listed: readonly StartingTool[], starter: Starter): readonly StartingTool[] {
  const known = new Map(toolsOfStarter(starter).map((tool) => [tool.name, tool]));
  return listed.map((tool) => known.get(tool.name) ?? tool);
}

/** Share of the tools of a starter that a list must hold to be of its server: versions add and drop tools. */
const MATCHING_SHARE = 0.8;

/** The starter whose server has probably listed these tools; null: none. */
export function matchingStarter(
  starters: readonly Starter[],
  listed: readonly StartingTool[],
): Starter | null {
  const names = new Set(listed.map(({ name }) => name));
  const found = starters.map((starter) => {
    const tools = Object.keys(starter.tools);
    const shared = tools.filter((name) => names.has(name)).length;
    return { starter, shared, share: Math.min(shared / tools.length, shared / names.size) };
  });
  const [best] = found.toSorted((left, right) => right.share - left.share);
  return best !== undefined && best.share >= MATCHING_SHARE ? best.starter : null;
}
