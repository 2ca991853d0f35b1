import { parseJson } from "@svc/text/parse-json";
import {
  type CheckedOptions,
  checkedOptions,
  type HostingAdapterOptions,
  refuseUngoverned,
} from "./adapter-options.ts";
import { schemaCheck } from "./schema-check.ts";
import { ToolGovernor } from "./tool-governor.ts";

export type { HostingAdapterOptions } from "./adapter-options.ts";

interface OpenAiRun {
  readonly context?: unknown;
}

interface OpenAiCallDetails {
  readonly toolCall?: { readonly callId?: string };
  readonly signal?: AbortSignal;
}

interface OpenAiFunctionTool {
  readonly type: "function";
  readonly name: string;
  readonly parameters: unknown;
  readonly needsApproval: (run: OpenAiRun, args: unknown, callId?: string) => Promise<boolean>;
  readonly invoke: (run: OpenAiRun, input: string, details?: OpenAiCallDetails) => Promise<unknown>;
}

interface OpenAiHandoff {
  readonly agentName: string;
  readonly onInvokeHandoff: (...given: readonly unknown[]) => Promise<unknown>;
}

interface OpenAiAgent {
  readonly name: string;
  readonly handoffs: readonly unknown[];
  getEnabledHandoffs(...given: readonly unknown[]): Promise<OpenAiHandoff[]>;
  getAllTools(...given: readonly unknown[]): Promise<unknown[]>;
  clone(...given: readonly unknown[]): OpenAiAgent;
}

/** On an agent whose tools are judged, in whichever copy of this package that was done. */
const BRAND = Symbol.for("@svc/client/governed-openai-agent");

/**
 * Judges each tool of an agent before it runs, those of its MCP servers and the agents that it uses as tools
 * included. It changes the agent, and returns it. A run fails before the model is asked when the agent has a
 * tool that runs elsewhere, or hands off to an agent that is not governed.
 * @throws TypeError that names the option that is not usable.
 */
export function governed<Agent extends object>(agent: Agent, options: HostingAdapterOptions): Agent {
  const checked = checkedOptions(options, "hosts");
  if (!isAgent(agent)) throw new TypeError("agent: expected an Agent of @openai/agents");
  if (BRAND in agent) throw new TypeError(`${agent.name}: expected an agent that is not governed yet`);
  const governor = new ToolGovernor(checked);
  const known = new WeakMap<OpenAiFunctionTool, OpenAiFunctionTool>();
  const getAllTools = agent.getAllTools.bind(agent);
  const getEnabledHandoffs = agent.getEnabledHandoffs.bind(agent);
  const clone = agent.clone.bind(agent);
  return Object.defineProperties(agent, {
    [BRAND]: { value: true },
    clone: { value: (...given: readonly unknown[]) => governed(clone(...given), options) },
    getEnabledHandoffs: {
      value: async (...given: readonly unknown[]) =>
        (await getEnabledHandoffs(...given)).map((handoff) => checkedHandoff(checked, handoff)),
    },
    getAllTools: {
      value: async (...given: readonly unknown[]) => {
        refuseHandoffs(checked, agent);
        return (await getAllTools(...given)).map((tool) => {
          if (!isFunctionTool(tool)) return ungovernedTool(checked, tool);
          const judged = known.get(tool) ?? governedTool(governor, tool);
          known.set(tool, judged);
          return judged;
        });
      },
    },
  });
}

function governedTool(governor: ToolGovernor, tool: OpenAiFunctionTool): OpenAiFunctionTool {
  const { name } = tool;
  const checkArgs = schemaCheck(tool.parameters, "as given");
  const needsApproval: OpenAiFunctionTool["needsApproval"] = async (run, args, callId) => {
    if ((await tool.needsApproval(run, args, callId)) !== false) return true;
    return (await governor.preview({ tool: name, args, callId, context: run.context })) === "paused";
  };
  const invoke: OpenAiFunctionTool["invoke"] = (run, input, details) => {
    const callId = details?.toolCall?.callId;
    const call = { tool: name, args: argsOf(input), callId, context: run.context, checkArgs };
    return governor.run<unknown>(
      { ...call, signal: details?.signal },
      {
        run: (args) => tool.invoke(run, JSON.stringify(args), details),
        refuse: ({ text }) => text,
      },
    );
  };
  return { ...tool, needsApproval, invoke };
}

/** What is not JSON is judged as nothing that can be: the governor denies it. */
function argsOf(input: string): unknown {
  try {
    return parseJson(input === "" ? "{}" : input);
  } catch {
    return undefined;
  }
}

function ungovernedTool(checked: CheckedOptions, tool: unknown): unknown {
  const { name, type, providerData } = tool as {
    readonly name?: unknown;
    readonly type?: unknown;
    readonly providerData?: { readonly type?: unknown; readonly execution?: unknown };
  };
  if (providerData?.type === "tool_search" && providerData.execution === "client")
    throw new TypeError(
      `${String(name)} cannot be governed: the tools that it finds would run without a verdict`,
    );
  refuseUngoverned(checked, String(name ?? type), "it is not a function of this process");
  return tool;
}

function refuseHandoffs(checked: CheckedOptions, { handoffs }: OpenAiAgent): void {
  for (const handoff of handoffs) {
    const { agent = handoff, agentName } = handoff as {
      readonly agent?: unknown;
      readonly agentName?: unknown;
    };
    refuseAgent(checked, agent, agentName);
  }
}

/** The agent that a handoff names is not always the one that it yields. */
function checkedHandoff(checked: CheckedOptions, handoff: OpenAiHandoff): OpenAiHandoff {
  const onInvokeHandoff: OpenAiHandoff["onInvokeHandoff"] = async (...given) => {
    const agent = await handoff.onInvokeHandoff(...given);
    refuseAgent(checked, agent, handoff.agentName);
    return agent;
  };
  return Object.create(handoff, { onInvokeHandoff: { value: onInvokeHandoff } }) as OpenAiHandoff;
}

function refuseAgent(checked: CheckedOptions, agent: unknown, agentName: unknown): void {
  if (typeof agent === "object" && agent !== null && BRAND in agent) return;
  const name = isAgent(agent) ? agent.name : String(agentName);
  refuseUngoverned(checked, name, "the agent can hand off to it, and its tools are not judged");
}

function isAgent(value: unknown): value is OpenAiAgent {
  return typeof value === "object" && value !== null && "getAllTools" in value && "handoffs" in value;
}

function isFunctionTool(value: unknown): value is OpenAiFunctionTool {
  return typeof value === "object" && value !== null && "type" in value && value.type === "function";
}
