import { isName } from "@svc/contract/name";
import { CommandFailure } from "../../frame/exit-code.ts";
import { MAX_TOOLS, type StartingTool, type ToolEffect } from "../starting-tool.ts";

/** What a server lists, as far as it matters here. */
export interface ListedTool {
  readonly name: string;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined }
    | undefined;
}

export interface ListedTools {
  readonly tools: readonly StartingTool[];
  /** What the user should know of the list. */
  readonly warnings: readonly string[];
}

/** Most characters of a foreign name in a message. */
const MAX_SHOWN = 60;

/** Most names in one message. */
const MAX_NAMED = 5;

/**
 * The tools of a server that a policy can name. A name that no gateway takes is left out: its calls are
 * denied. Of tools with one name, the strictest reading counts.
 * @throws CommandFailure `failed` when the server lists too many tools, or none
 */
export function listedTools(listed: readonly ListedTool[]): ListedTools {
  if (listed.length > MAX_TOOLS)
    throw new CommandFailure(
      "failed",
      `the MCP server lists ${String(listed.length)} tools, and a person cannot read a policy of more than ` +
        `${String(MAX_TOOLS)}. Name those that the agent needs with --tools`,
    );
  const effects = new Map<string, ToolEffect>();
  const twice = new Set<string>();
  for (const { name, annotations } of listed) {
    if (!isName(name)) continue;
    const effect = effectOf(annotations);
    const before = effects.get(name);
    if (before !== undefined) twice.add(name);
    effects.set(name, before === undefined || before === effect ? effect : "destroys");
  }
  if (effects.size === 0)
    throw new CommandFailure("failed", "the MCP server lists no tool that a policy can name");
  const foreign = listed.map(({ name }) => name).filter((name) => !isName(name));
  return {
    tools: [...effects].map(([name, effect]) => ({ name, effect })),
    warnings: [
      ...(foreign.length === 0
        ? []
        : [`no policy can name these tools, and every call of them is denied: ${shown(foreign)}`]),
      ...(twice.size === 0
        ? []
        : [
            "the server lists these tools more than once, and which one runs is unknown: " +
              shown([...twice]),
          ]),
    ],
  };
}

/** A contradiction counts as the worse of its two. The protocol says that silence means destructive. */
function effectOf(annotations: ListedTool["annotations"]): ToolEffect {
  const { readOnlyHint, destructiveHint } = annotations ?? {};
  if (readOnlyHint === undefined && destructiveHint === undefined) return "unmarked";
  if (readOnlyHint === true) return destructiveHint === true ? "destroys" : "reads";
  return destructiveHint === false ? "changes" : "destroys";
}

function shown(names: readonly string[]): string {
  const some = names.slice(0, MAX_NAMED).map((name) => {
    const text = JSON.stringify(name);
    return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}..."`;
  });
  const more = names.length - some.length;
  return more > 0 ? `${some.join(", ")} and ${String(more)} more` : some.join(", ");
}
