import {
  type AgentMiddleware,
  createMiddleware,
  type LangChainResult,
  type LangChainToolCall,
  type LangChainToolRequest,
  ToolMessage,
} from "langchain";
import { checkedOptions, type HostingAdapterOptions, refuseUngoverned } from "./adapter-options.ts";
import type { DeniedToolCall, PausedToolCall } from "./judgement.ts";
import { schemaCheck } from "./schema-check.ts";
import { type ToolCall, ToolGovernor } from "./tool-governor.ts";

export type { HostingAdapterOptions } from "./adapter-options.ts";

interface LangChainTool {
  readonly name: string;
  readonly schema?: unknown;
  invoke(call: LangChainToolCall, config?: unknown): Promise<unknown>;
}

/** A resumed run repeats its interrupts in order. No person resumes one call as often as this. */
const MAX_RESUMES = 1_000;

/**
 * Middleware for `createAgent` that asks before each tool runs. A tool of the provider never reaches it, and
 * makes the run fail before the model is asked. Each agent needs its own, also one that is called by a tool.
 * @throws TypeError that names the option that is not usable.
 */
export function governance(options: HostingAdapterOptions): AgentMiddleware {
  const checked = checkedOptions(options, "hosts");
  const governor = new ToolGovernor(checked);
  return createMiddleware({
    name: "svc-governance",
    wrapModelCall: (request, handler) => {
      for (const tool of request.tools)
        if (!isTool(tool)) refuseUngoverned(checked, nameOf(tool), "the provider of the model runs it");
      return handler(request);
    },
    wrapToolCall: async (request, handler) => {
      const { tool, toolCall } = request;
      // Asked where the tool begins, the question is about what later middleware makes of the call.
      if (isTool(tool)) return handler({ ...request, tool: governedTool(governor, tool, request) });
      return governor.run<LangChainResult>(questionOf(request, toolCall.name, toolCall), {
        run: (args) => handler({ ...request, toolCall: { ...toolCall, args: { ...args } } }),
        refuse: (refused) => refuse(refused, request, toolCall),
        ...ENDS,
      });
    },
  });
}

function governedTool(
  governor: ToolGovernor,
  tool: LangChainTool,
  request: LangChainToolRequest,
): LangChainTool {
  const checkArgs = schemaCheck(tool.schema, "as given");
  const invoke: LangChainTool["invoke"] = (call, config) =>
    governor.run<unknown>(
      { ...questionOf(request, tool.name, call), checkArgs },
      {
        run: (args) => tool.invoke({ ...call, args: { ...args } }, config),
        refuse: (refused) => refuse(refused, request, call),
        ...ENDS,
      },
    );
  return Object.create(tool, { invoke: { value: invoke } }) as LangChainTool;
}

const ENDS = {
  endOf: (result: unknown) =>
    ToolMessage.isInstance(result) && result.status === "error"
      ? ("failed" as const)
      : ("succeeded" as const),
  /** A tool that interrupts the graph runs again when the graph is resumed. */
  hasEnded: (error: unknown) => !(error instanceof Error && error.name === "GraphInterrupt"),
};

function questionOf({ runtime }: LangChainToolRequest, tool: string, call: LangChainToolCall): ToolCall {
  const { configurable, signal } = runtime;
  return { tool, args: call.args, callId: call.id, sessionId: configurable?.thread_id, signal };
}

/** Pauses the graph, or answers the model. What a person hands over on resuming decides nothing. */
function refuse(
  refused: DeniedToolCall | PausedToolCall,
  { runtime }: LangChainToolRequest,
  { name, id = "" }: LangChainToolCall,
): ToolMessage {
  // A graph that was resumed passes its earlier interrupts, and stops at a new one.
  if (refused.kind === "paused")
    for (let resumed = 0; resumed < MAX_RESUMES; resumed += 1) runtime.interrupt?.(refused.approval);
  return new ToolMessage({ content: refused.text, tool_call_id: id, name, status: "error" });
}

function isTool(tool: object | undefined): tool is LangChainTool {
  return tool !== undefined && "invoke" in tool && typeof tool.invoke === "function";
}

function nameOf(tool: object): string {
  const named = ["name", "type"].map((key): unknown => Reflect.get(tool, key));
  return named.find((name) => typeof name === "string") ?? "a tool without a name";
}
