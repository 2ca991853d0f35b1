import {
  type AgentMiddleware,
  createMiddleware,
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

/** What `createAgent` takes, as far as it matters here. */
interface LangChainAgentParams {
  readonly middleware?: readonly AgentMiddleware[];
}

/** Middleware that comes later copies the request. The model reads its members by name. */
const LAST = Symbol("svc-governance is the last middleware");

/** A resumed run repeats its interrupts in order. No person resumes one call as often as this. */
const MAX_RESUMES = 1_000;

/**
 * The parameters of `createAgent`, with governance as the last middleware:
 * `createAgent(governed({ model, tools, middleware }, { agentId }))`.
 * @throws TypeError that names the option that is not usable.
 */
export function governed<Params extends object>(params: Params, options: HostingAdapterOptions): Params {
  const { middleware = [] } = params as LangChainAgentParams;
  return { ...params, middleware: [...middleware, governance(options)] };
}

/**
 * Middleware for `createAgent` that asks before each tool runs. A tool of the provider never reaches it, and
 * makes the run fail before the model is asked. It is the last of the list: `governed` puts it there. Each
 * agent needs its own, also one that is called by a tool.
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
      return handler(Object.defineProperty({ ...request }, LAST, { get: refuseLater, enumerable: true }));
    },
    wrapToolCall: async (request, handler) => {
      const { tool, toolCall } = request;
      if (!isTool(tool)) return unknownTool(toolCall);
      const sealed = sealedCall(toolCall);
      return handler({
        ...request,
        toolCall: sealed.call,
        tool: governedTool(governor, tool, request, sealed.open),
      });
    },
  });
}

function refuseLater(): never {
  throw new TypeError(
    "The model was not asked: later middleware wraps model calls, and can add tools. Put governance last",
  );
}

function governedTool(
  governor: ToolGovernor,
  tool: LangChainTool,
  request: LangChainToolRequest,
  open: () => void,
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
  // LangChain reads `invoke` of the tool that it runs before it reads the call.
  const get = (): LangChainTool["invoke"] => {
    open();
    return invoke;
  };
  return Object.create(tool, { invoke: { get } }) as LangChainTool;
}

/** A call that only the governed tool can read, so that no later middleware has another tool run it. */
function sealedCall(given: LangChainToolCall): {
  readonly call: LangChainToolCall;
  readonly open: () => void;
} {
  let isOpen = false;
  const members = Object.entries(given).map(([name, value]: [string, unknown]) => {
    const get = (): unknown => {
      if (isOpen) return value;
      throw new TypeError(
        `${given.name} was not run: later middleware reads or replaces the call. Put governance last`,
      );
    };
    return [name, { get, enumerable: true }] as const;
  });
  const call = Object.defineProperties({}, Object.fromEntries(members)) as LangChainToolCall;
  return { call, open: () => void (isOpen = true) };
}

function unknownTool({ name, id = "" }: LangChainToolCall): ToolMessage {
  const content = `${name} is not a tool of this agent, so nothing was run.`;
  return new ToolMessage({ content, tool_call_id: id, name, status: "error" });
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
