import { CommandFailure } from "../frame/exit-code.ts";
import type { ListedTools } from "./mcp/listed-tools.ts";
import { namedTools, withReadOnly } from "./named-tools.ts";

export interface ToolSource {
  readonly tools?: string;
  readonly mcp?: string;
  readonly readOnly?: string;
  /** In seconds. */
  readonly timeout?: number;
}

/** The tools of the option that is given. @throws CommandFailure */
export async function startingTools(source: ToolSource, cwd: string): Promise<ListedTools> {
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
