import { CommandFailure } from "../frame/exit-code.ts";
import type { ListedTools } from "./mcp/listed-tools.ts";
import { namedTools, withReadOnly } from "./named-tools.ts";
import { asStarterSays, matchingStarter, type Starter, toolsOfStarter } from "./starters/starter.ts";
import { STARTERS, starterNamed } from "./starters/starter-table.ts";

export interface ToolSource {
  readonly tools?: string;
  readonly mcp?: string;
  readonly readOnly?: string;
  /** In seconds. */
  readonly timeout?: number;
}

/** The tools of the option that is given. @throws CommandFailure */
async function startingTools(source: ToolSource, cwd: string): Promise<ListedTools> {
  const { tools, warnings } = await unmarkedTools(source, cwd);
  return { tools: withReadOnly(tools, source.readOnly), warnings };
}

async function unmarkedTools({ tools, mcp, timeout }: ToolSource, cwd: string): Promise<ListedTools> {
  if ((tools === undefined) === (mcp === undefined))
    throw new CommandFailure(
      "usage",
      "expected one of --tools a,b,c and --mcp <address or command>, found " +
        (tools === undefined ? "neither" : "both"),
    );
  if (tools !== undefined) return { tools: namedTools(tools), warnings: [] };
  // The client of the protocol is large, and no other command needs it.
  const { listTools } = await import("./mcp/list-tools.ts");
  const { listedTools } = await import("./mcp/listed-tools.ts");
  const deadlineMs = timeout === undefined ? undefined : timeout * 1_000;
  return listedTools(await listTools(mcp ?? "", cwd, deadlineMs));
}

interface GovernedTools extends ListedTools {
  /** The starter policy that says what they do; null: none. */
  readonly starter: Starter | null;
  /** One that would know, and was not asked for; null: none. */
  readonly offered: Starter | null;
}

/**
 * The tools of the new policy: those of the server or of the user, and what a starter policy says of them. A
 * starter alone stands for the tools of its server. @throws CommandFailure
 */
export async function toolsToGovern(
  source: ToolSource & { readonly starter?: string },
  cwd: string,
): Promise<GovernedTools> {
  const starter = source.starter === undefined ? null : starterNamed(source.starter);
  if (starter !== null && source.tools === undefined && source.mcp === undefined) {
    const tools = withReadOnly(toolsOfStarter(starter), source.readOnly);
    return { tools, warnings: [], starter, offered: null };
  }
  const { tools, warnings } = await startingTools(source, cwd);
  if (starter === null)
    return { tools, warnings, starter, offered: matchingStarter(STARTERS, tools, source.mcp ?? null) };
  const known = asStarterSays(tools, starter);
  if (known.every((tool, at) => tool === tools[at]))
    throw new CommandFailure(
      "usage",
      `--starter ${starter.name}: it knows none of these tools, but those of ${starter.package}`,
    );
  // What the user says of a tool comes last.
  return { tools: withReadOnly(known, source.readOnly), warnings, starter, offered: null };
}
