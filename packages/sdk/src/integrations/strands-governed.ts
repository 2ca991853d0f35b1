import { TextBlock, ToolResultBlock } from "@strands-agents/sdk";
import { checkedOptions, type HostingAdapterOptions } from "./adapter-options.ts";
import { schemaCheck } from "./schema-check.ts";
import { ToolGovernor } from "./tool-governor.ts";

export type { HostingAdapterOptions } from "./adapter-options.ts";

interface StrandsContext {
  readonly agent: object;
  readonly toolUse: { readonly name: string; readonly toolUseId: string; readonly input: unknown };
  readonly cancelSignal?: AbortSignal;
  interrupt(asked: { readonly name: string; readonly reason: unknown }): unknown;
}

type StrandsStream = AsyncGenerator<unknown, ToolResultBlock, undefined>;

interface StrandsTool {
  readonly name: string;
  readonly toolSpec: { readonly inputSchema?: unknown };
  stream(context: StrandsContext): StrandsStream;
}

interface StrandsRegistry {
  get(name: string): StrandsTool | undefined;
  resolve(name: string): StrandsTool;
  list(): StrandsTool[];
}

interface StrandsAgent {
  /** Older versions have none. */
  readonly sessionId?: string;
  readonly sessionManager?: unknown;
  readonly toolRegistry: StrandsRegistry;
}

type Judge = (context: StrandsContext, tool: StrandsTool, stream: StrandsTool["stream"]) => StrandsStream;

/** What judges the calls of an agent, also where agents share a tool. */
const judges = new WeakMap<object, Judge>();
const patched = new WeakSet<StrandsTool>();

/**
 * Judges each tool of an agent before it runs. The question is asked inside of the tool, so that no hook is
 * in its way: when a hook throws, Strands runs the tool later. It changes the agent, and returns it. An
 * agent that is the tool of another needs its own.
 * @throws TypeError that names the option that is not usable.
 */
export function governed<Agent extends object>(agent: Agent, options: HostingAdapterOptions): Agent {
  const checked = checkedOptions(options, "hosts");
  if (!isAgent(agent)) throw new TypeError("agent: expected an Agent of @strands-agents/sdk");
  if (judges.has(agent)) throw new TypeError("agent: expected an agent that is not governed yet");
  const governor = new ToolGovernor(checked);
  // Without a session manager, Strands makes up an id for each agent.
  const hasOwnId = agent.sessionManager !== undefined || options.sessionId === undefined;
  const judge: Judge = (context, tool, stream) =>
    checked.ungoverned.has(tool.name)
      ? stream(context)
      : judgedStream(governor, { context, tool, stream, sessionId: hasOwnId ? agent.sessionId : undefined });
  const { toolRegistry } = agent;
  const [get, resolve, list] = [
    toolRegistry.get.bind(toolRegistry),
    toolRegistry.resolve.bind(toolRegistry),
    toolRegistry.list.bind(toolRegistry),
  ];
  Object.defineProperties(toolRegistry, {
    get: { value: (name: string) => patch(get(name)) },
    resolve: { value: (name: string) => patch(resolve(name)) },
    list: { value: () => list().map(patch) },
  });
  judges.set(agent, judge);
  return agent;
}

/** Tools are found in the registry and nowhere else: what leaves it asks. */
function patch<Tool extends StrandsTool | undefined>(tool: Tool): Tool {
  if (tool === undefined || patched.has(tool)) return tool;
  const stream = tool.stream.bind(tool);
  const judged = (context: StrandsContext): StrandsStream =>
    judges.get(context.agent)?.(context, tool, stream) ?? stream(context);
  Object.defineProperty(tool, "stream", { value: judged });
  patched.add(tool);
  return tool;
}

interface StrandsCall {
  readonly context: StrandsContext;
  readonly tool: StrandsTool;
  readonly stream: StrandsTool["stream"];
  readonly sessionId: string | undefined;
}

async function* judgedStream(governor: ToolGovernor, call: StrandsCall): StrandsStream {
  const { context, tool, stream, sessionId } = call;
  const { toolUse, cancelSignal: signal } = context;
  const { toolUseId: callId, input: args } = toolUse;
  const checkArgs = schemaCheck(tool.toolSpec.inputSchema, "as given");
  const judgement = await governor.judge({ tool: tool.name, args, callId, sessionId, signal, checkArgs });
  if (judgement.kind === "paused") {
    const { approval } = judgement;
    // Throws until the agent is resumed. What a person answers decides nothing.
    context.interrupt({ name: `svc-approval-${approval.decision_id}`, reason: approval });
  }
  if (judgement.kind !== "allowed") {
    const content = [new TextBlock(judgement.text)];
    return new ToolResultBlock({ toolUseId: callId, status: "error", content });
  }
  const input = { ...toolUse, input: judgement.args };
  let result: ToolResultBlock;
  try {
    result = yield* stream(Object.create(context, { toolUse: { value: input } }) as StrandsContext);
  } catch (error) {
    const runsAgain = error instanceof Error && error.name === "InterruptError";
    if (!runsAgain) judgement.report("failed");
    throw error;
  }
  judgement.report(result.status === "error" ? "failed" : "succeeded");
  return result;
}

function isAgent(value: object): value is StrandsAgent {
  return "toolRegistry" in value && typeof value.toolRegistry === "object" && value.toolRegistry !== null;
}
