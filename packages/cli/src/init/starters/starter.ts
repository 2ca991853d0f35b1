import type { StartingTool, ToolEffect } from "../starting-tool.ts";

/** What is known of the tools of one MCP server, from a list that the server itself has given. */
export interface Starter {
  readonly name: string;
  readonly package: string;
  readonly registry: "npm" | "PyPI";
  /** The version that gave the list. */
  readonly version: string;
  /** Whether its maintainers have archived it: it gets no corrections, also of its security. */
  readonly isArchived?: true;
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

/** Fewest tools that tell a server by their names alone: many servers have a tool such as `query`. */
const MATCHING_TOOLS = 2;

/**
 * The starter whose server has probably listed these tools; null: none.
 * @param server the address or the command of the server; null: not known
 */
export function matchingStarter(
  starters: readonly Starter[],
  listed: readonly StartingTool[],
  server: string | null,
): Starter | null {
  const names = new Set(listed.map(({ name }) => name));
  const found = starters.map((starter) => {
    const tools = Object.keys(starter.tools);
    const shared = tools.filter((name) => names.has(name)).length;
    return { starter, shared, share: Math.min(shared / tools.length, shared / names.size) };
  });
  const [best] = found.toSorted((left, right) => right.share - left.share);
  if (best === undefined || best.share < MATCHING_SHARE) return null;
  return best.shared >= MATCHING_TOOLS || isNamedIn(server, best.starter) ? best.starter : null;
}

/** Whether a command runs the package, in any version. */
function isNamedIn(server: string | null, { package: name }: Starter): boolean {
  const words = server?.split(/\s+/) ?? [];
  return words.some((word) => word === name || word.startsWith(`${name}@`) || word.startsWith(`${name}==`));
}

/** The package and its version, and whether anybody maintains it. */
export function packageOf({ package: name, version, isArchived }: Starter): string {
  return `${name} ${version}${isArchived === true ? ", which is archived: nobody maintains it" : ""}`;
}
