import { checkedOptions, type HostingAdapterOptions, refuseUngoverned } from "./adapter-options.ts";
import { type CheckArgs, schemaCheck } from "./schema-check.ts";
import { type ToolCall, ToolGovernor } from "./tool-governor.ts";

export type { HostingAdapterOptions } from "./adapter-options.ts";

interface AiCallOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal;
  readonly context?: unknown;
}

interface AiTool {
  readonly inputSchema?: unknown;
  readonly execute?: (input: unknown, options: AiCallOptions) => unknown;
  readonly needsApproval?: unknown;
}

/** What `toolApproval` of a call of the SDK is given, and what it answers. */
export type AiToolApproval = (asked: {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
  /** The context of each tool, by its name. A tool gets its own when it runs. */
  readonly toolsContext?: unknown;
  readonly messages?: unknown;
}) => Promise<{ type: "not-applicable" } | { type: "user-approval" }>;

/** The members of a call of the SDK that belong together. */
export interface GovernedTools<Tools> {
  readonly tools: Tools;
  readonly toolApproval: AiToolApproval;
}

/**
 * Judges tools before they run, and asks the user about a call that has to wait for a person. Spread the
 * result: `generateText({ model, prompt, ...governed(tools, { agentId }) })`.
 * @throws TypeError for a tool that this process does not run, and for an option that is not usable.
 */
export function governed<Tools extends object>(
  tools: Tools,
  options: HostingAdapterOptions,
): GovernedTools<Tools> {
  const checked = checkedOptions(options, "hosts");
  if (Array.isArray(tools))
    throw new TypeError("tools: expected an object of tools by name such as { refund }, found a list");
  const governor = new ToolGovernor(checked);
  const judged = new Map<string, AiTool>();
  const all = Object.entries(tools).map(([name, tool]: [string, AiTool]) => {
    if (typeof tool.execute !== "function") {
      refuseUngoverned(checked, name, "this process does not run it");
      return [name, tool] as const;
    }
    judged.set(name, tool);
    return [name, governedTool(governor, name, { ...tool, execute: tool.execute.bind(tool) })] as const;
  });
  const toolApproval: AiToolApproval = async ({ toolCall, toolsContext, messages }) => {
    const { toolName, toolCallId: callId, input: args } = toolCall;
    const tool = judged.get(toolName);
    if (tool === undefined) return { type: "not-applicable" };
    // The same context as when the call runs, so that both questions are one call of one session.
    const context = (toolsContext as Readonly<Record<string, unknown>> | undefined)?.[toolName];
    const own = await ownApproval(tool, args, { toolCallId: callId, messages, context });
    const call = { tool: toolName, args, callId, context };
    const waits = own || (await governor.preview(call)) === "paused";
    return { type: waits ? "user-approval" : "not-applicable" };
  };
  // The same names with the same types: only what runs is another function.
  return { tools: Object.fromEntries(all) as Tools, toolApproval };
}

/** What the tool itself asks for, which a `toolApproval` of the call would override. */
async function ownApproval({ needsApproval }: AiTool, input: unknown, options: object): Promise<boolean> {
  if (typeof needsApproval !== "function") return needsApproval !== undefined && needsApproval !== false;
  return (await (needsApproval as (...given: unknown[]) => unknown)(input, options)) !== false;
}

type RunnableTool = AiTool & { readonly execute: NonNullable<AiTool["execute"]> };

function governedTool(governor: ToolGovernor, tool: string, original: RunnableTool): AiTool {
  const checkArgs = checkOf(original.inputSchema);
  const questionOf = (args: unknown, { toolCallId, abortSignal, context }: AiCallOptions): ToolCall => ({
    tool,
    args,
    callId: toolCallId,
    context,
    signal: abortSignal,
    checkArgs,
  });
  const execute: RunnableTool["execute"] = (input, options) =>
    governor.run<unknown>(questionOf(input, options), {
      run: async (args) => lastOf(await original.execute(args, options)),
      refuse: ({ text }) => {
        throw new Error(text);
      },
    });
  return { ...original, execute };
}

/** The result of a tool that streams is its last part. */
async function lastOf(result: unknown): Promise<unknown> {
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const part of result as AsyncIterable<unknown>) last = part;
  return last;
}

function checkOf(schema: unknown): CheckArgs {
  const isWrapped = typeof schema === "object" && schema !== null && "jsonSchema" in schema;
  if (!isWrapped) return schemaCheck(schema, "parsed");
  return async (args) => schemaCheck(await schema.jsonSchema, "parsed")(args);
}
