import { type AdapterOptions, checkedOptions } from "./adapter-options.ts";
import { type ToolCall, ToolGovernor } from "./tool-governor.ts";

export type { AdapterOptions } from "./adapter-options.ts";

interface MastraTool {
  /** Missing for a tool that the client of the agent, or the provider of the model, runs. */
  readonly execute?: (input: unknown, context?: unknown) => unknown;
}

type MastraTools = Readonly<Record<string, MastraTool>>;

interface MastraAgent {
  readonly name: string;
  /** Puts the hooks of the agent and of a run around all tools of a run, wherever they come from. */
  wrapToolsWithHooks(tools: MastraTools, hooks: unknown): MastraTools;
  /** Makes the tools of a run. */
  convertTools(...given: readonly unknown[]): Promise<MastraTools>;
  /** Makes another agent of the same configuration, for a stored version of this one. */
  __fork?(): object;
}

/** On an agent, and on each tool that is judged. */
const BRAND = Symbol.for("@svc/client/governed-mastra-agent");

/**
 * Judges each tool of an agent before it runs, those that a run brings along included. The question is asked
 * inside of the tool, so that no hook comes after it. It changes the agent, and returns it. An agent that is
 * the tool of another needs its own.
 * @throws TypeError that names the option that is not usable.
 */
export function governed<Agent extends object>(agent: Agent, options: AdapterOptions): Agent {
  const governor = new ToolGovernor(checkedOptions(options, "runs all"));
  if (!isAgent(agent)) throw new TypeError("agent: expected an Agent of @mastra/core 1.50 or later");
  if (BRAND in agent) throw new TypeError(`${agent.name}: expected an agent that is not governed yet`);
  refuseDurable(agent);
  const fork = agent.__fork?.bind(agent);
  const wrapToolsWithHooks = agent.wrapToolsWithHooks.bind(agent);
  const convertTools = agent.convertTools.bind(agent);
  return Object.defineProperties(agent, {
    [BRAND]: { value: true },
    wrapToolsWithHooks: {
      value: (tools: MastraTools, hooks: unknown) => {
        const judged = Object.entries(tools).map(([name, tool]) => [
          name,
          governedTool(governor, name, tool),
        ]);
        return wrapToolsWithHooks(Object.fromEntries(judged) as MastraTools, hooks);
      },
    },
    convertTools: {
      value: async (...given: readonly unknown[]) => {
        const tools = await convertTools(...given);
        for (const [name, tool] of Object.entries(tools))
          if (tool.execute !== undefined && !(BRAND in tool))
            throw new TypeError(`${name} cannot be governed: this release of @mastra/core is not supported`);
        return tools;
      },
    },
    ...(fork === undefined ? {} : { __fork: { value: () => governed(fork(), options) } }),
  });
}

/**
 * A durable agent runs the tools of the agent inside it, and never its own.
 * @throws TypeError that says which agent to govern.
 */
function refuseDurable(agent: MastraAgent): void {
  const inside = "agent" in agent ? agent.agent : undefined;
  if (inside === undefined || inside === null || inside === agent) return;
  const fix = "createDurableAgent({ agent: governed(agent, options) })";
  throw new TypeError(
    `${agent.name}: a durable agent cannot be governed. Govern the agent inside it: ${fix}`,
  );
}

function governedTool(governor: ToolGovernor, name: string, tool: MastraTool): MastraTool {
  const { execute } = tool;
  if (execute === undefined) return tool;
  const judged: MastraTool["execute"] = (args, context) =>
    governor.run<unknown>(
      { tool: name, args, ...idsOf(context) },
      {
        run: (judgedArgs) => execute.call(tool, judgedArgs, context),
        refuse: ({ text }) => ({ error: text }),
      },
    );
  return { ...tool, execute: judged, [BRAND]: true } as MastraTool;
}

function isAgent(value: object): value is MastraAgent {
  return "wrapToolsWithHooks" in value && "convertTools" in value;
}

function idsOf(given: unknown): Omit<ToolCall, "args" | "tool"> {
  const { toolCallId, agent, abortSignal, requestContext } = (given ?? {}) as {
    readonly toolCallId?: string;
    readonly agent?: { readonly threadId?: string; readonly toolCallId?: string };
    readonly abortSignal?: AbortSignal;
    readonly requestContext?: unknown;
  };
  return {
    callId: toolCallId ?? agent?.toolCallId,
    sessionId: agent?.threadId,
    signal: abortSignal,
    context: requestContext,
  };
}
