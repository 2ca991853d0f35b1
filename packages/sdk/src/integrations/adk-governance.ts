import { BasePlugin } from "@google/adk";
import {
  type CheckedOptions,
  checkedOptions,
  type HostingAdapterOptions,
  refuseUngoverned,
} from "./adapter-options.ts";
import { ToolGovernor } from "./tool-governor.ts";

export type { HostingAdapterOptions } from "./adapter-options.ts";

interface AdkContext {
  readonly functionCallId?: string;
  readonly sessionId?: string;
  readonly abortSignal?: AbortSignal;
}

interface AdkRequest {
  readonly args: Record<string, unknown>;
  readonly toolContext: AdkContext;
}

interface AdkTool {
  readonly name: string;
  runAsync(request: AdkRequest): Promise<unknown>;
}

/** What judges the call of a context, also where runners share a tool. */
const governors = new WeakMap<AdkContext, ToolGovernor>();
const patched = new WeakSet<AdkTool>();

/**
 * A plugin of a Runner that judges each tool before it runs. The question is asked inside of the tool, so
 * that it is about what callbacks of the agent make of the arguments. A tool that the model's provider runs
 * makes the run fail before the model is asked. An `AgentTool` runs its agent without plugins, and is
 * refused.
 * @throws TypeError that names the option that is not usable.
 */
export function governance(options: HostingAdapterOptions): BasePlugin {
  return new Governance(checkedOptions(options, "hosts"));
}

class Governance extends BasePlugin {
  readonly #checked: CheckedOptions;
  readonly #governor: ToolGovernor;

  constructor(checked: CheckedOptions) {
    super("governance");
    this.#checked = checked;
    this.#governor = new ToolGovernor(checked);
  }

  override beforeModelCallback({ llmRequest }: { llmRequest: object }): Promise<undefined> {
    for (const name of hostedTools(llmRequest))
      refuseUngoverned(this.#checked, name, "the provider of the model runs it");
    return Promise.resolve(undefined);
  }

  override beforeToolCallback(given: {
    tool: AdkTool;
    toolContext: AdkContext;
  }): Promise<Record<string, unknown> | undefined> {
    const { tool, toolContext } = given;
    try {
      if (this.#checked.ungoverned.has(tool.name)) return Promise.resolve(undefined);
      if ("agent" in tool)
        refuseUngoverned(this.#checked, tool.name, "it runs another agent, which gets no plugin");
      patch(tool);
      governors.set(toolContext, this.#governor);
      return Promise.resolve(undefined);
    } catch (error) {
      // Anything but nothing keeps the tool from running.
      return Promise.resolve({ error: error instanceof Error ? error.message : "The call was not judged." });
    }
  }
}

function patch(tool: AdkTool): void {
  if (patched.has(tool)) return;
  const runAsync = tool.runAsync.bind(tool);
  const judged: AdkTool["runAsync"] = async (request) => {
    const { args, toolContext } = request;
    const governor = governors.get(toolContext);
    if (governor === undefined) return runAsync(request);
    const { functionCallId: callId, sessionId, abortSignal: signal } = toolContext;
    return governor.run<unknown>(
      { tool: tool.name, args, callId, sessionId, signal },
      {
        run: (allowed) => runAsync({ ...request, args: { ...allowed } }),
        refuse: ({ text }) => ({ error: text }),
      },
    );
  };
  Object.defineProperty(tool, "runAsync", { value: judged });
  patched.add(tool);
}

/** Tools in the request of a model that are not functions, such as a search. */
function hostedTools(llmRequest: object): readonly string[] {
  const { config } = llmRequest as { readonly config?: { readonly tools?: readonly object[] } };
  const names = (config?.tools ?? []).flatMap((tool) => Object.keys(tool));
  return names.filter((name) => name !== "functionDeclarations");
}
