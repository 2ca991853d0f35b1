import {
  Agent,
  type AgentInputItem,
  type Handoff,
  handoff,
  type Model,
  type ModelRequest,
  Runner,
  type Tool,
  tool,
  toolSearchTool,
  Usage,
  webSearchTool,
} from "@openai/agents";
import { governed, type HostingAdapterOptions } from "@svc/client/openai-agents";
import { z } from "zod";
import type { ModelCall } from "./cases.ts";
import type { Driver, Seen, Stage } from "./driver.ts";

class ScriptedModel implements Model {
  readonly read: string[] = [];
  readonly #calls: readonly ModelCall[];
  constructor(calls: readonly ModelCall[]) {
    this.#calls = calls;
  }
  async getResponse({ input }: ModelRequest) {
    const results = (input as AgentInputItem[]).filter((item) => item.type === "function_call_result");
    const texts = results.map(({ output }) =>
      typeof output === "string" ? output : String(Reflect.get(output, "text")),
    );
    this.read.splice(0, this.read.length, ...texts);
    const done = { type: "message", role: "assistant", status: "completed" } as const;
    const output =
      results.length > 0
        ? [{ ...done, content: [{ type: "output_text" as const, text: "done" }] }]
        : this.#calls.map(({ id, tool: name, args }) => ({
            type: "function_call" as const,
            callId: id,
            name,
            status: "completed" as const,
            arguments: JSON.stringify(args),
          }));
    return { usage: new Usage(), output };
  }
  // oxlint-disable-next-line require-yield
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error("no stream");
  }
}

const parameters = z.object({ amount: z.number(), to: z.string() });
const OPTIONS = { agentId: "agent-1", sessionId: "thread-1" };

const payTool = ({ pay }: Stage, more: object = {}) =>
  tool({ name: "pay", description: "Pays", parameters, execute: (args) => pay(args), ...more });

function agentOf(stage: Stage, tools: Tool[] = [payTool(stage)]) {
  const model = new ScriptedModel(stage.calls);
  const agent = new Agent({ name: "payer", model, tools });
  return { agent: governed(agent, { ...OPTIONS, client: stage.client }), model };
}

/** An agent that hands off at once. The agent that takes over reads nothing of that. */
function handingOff({ client }: Stage, to: Handoff) {
  to.inputFilter = (data) => ({ ...data, preHandoffItems: [], newItems: [] });
  const model = new ScriptedModel([{ id: "h", tool: "transfer_to_payer" as "pay", args: {} }]);
  return governed(Agent.create({ name: "desk", model, handoffs: [to] }), { agentId: "desk", client });
}

const runner = new Runner({ tracingDisabled: true });

async function run(stage: Stage): Promise<Seen> {
  const { agent, model } = agentOf(stage);
  const seen = (result: Awaited<ReturnType<typeof start>>): Seen => ({
    read: [...model.read],
    paused: result.interruptions.length > 0,
    resume: async () => {
      for (const one of result.interruptions) result.state.approve(one);
      return seen(await runner.run(agent, result.state));
    },
  });
  const start = () => runner.run(agent, "go");
  return seen(await start());
}

export const driver: Driver = {
  run,
  traps: {
    "a hosted tool": async ({ client }) => {
      const model = new ScriptedModel([]);
      const agent = new Agent({ name: "payer", model, tools: [webSearchTool()] });
      await runner.run(governed(agent, { ...OPTIONS, client }), "go");
    },
    "a handoff to an agent that is not governed": async ({ client }) => {
      const other = new Agent({ name: "other" });
      const agent = Agent.create({ name: "payer", model: new ScriptedModel([]), handoffs: [handoff(other)] });
      await runner.run(governed(agent, { ...OPTIONS, client }), "go");
    },
    "a handoff to a governed agent that yields another": async (stage) => {
      const over = [{ id: "c", tool: "pay", args: { amount: 500, to: "a" } }] as const;
      const yielded = new Agent({
        name: "other",
        model: new ScriptedModel(over),
        tools: [payTool(stage)],
      });
      const changed = handoff(agentOf(stage).agent);
      changed.onInvokeHandoff = async () => yielded;
      await runner.run(handingOff(stage, changed), "go");
    },
    "a handoff to a governed agent": async (stage) => {
      await runner.run(handingOff(stage, handoff(agentOf(stage).agent)), "go");
    },
    "a clone of a governed agent": async (stage) => {
      const { agent } = agentOf({
        ...stage,
        calls: [{ id: "c", tool: "pay", args: { amount: 500, to: "a" } }],
      });
      await runner.run(agent.clone({ name: "clone" }), "go");
    },
    "a search of this process that finds tools, which is said to be harmless": async (stage) => {
      const found = payTool(stage, { deferLoading: true });
      const search = toolSearchTool({ execution: "client", execute: async () => [found] });
      const agent = new Agent({ name: "payer", model: new ScriptedModel(stage.calls), tools: [search] });
      const options = { ...OPTIONS, client: stage.client, ungoverned: ["tool_search"] };
      await runner.run(governed(agent, options), "go");
    },
    "a tool that is added after the agent was governed": async (stage) => {
      const over = [{ id: "c", tool: "pay", args: { amount: 500, to: "a" } }] as const;
      const { agent } = agentOf({ ...stage, calls: over }, []);
      agent.tools.push(payTool(stage));
      await runner.run(agent, "go");
    },
    "a governed agent as a tool of another": async (stage) => {
      const { agent: inner } = agentOf(stage);
      const asTool = inner.asTool({ toolName: "pay", toolDescription: "Asks the payer", runConfig: {} });
      const model = new ScriptedModel([{ id: "c", tool: "pay", args: { input: "pay", amount: 1 } }]);
      const outer = governed(new Agent({ name: "outer", model, tools: [asTool] }), {
        agentId: "outer",
        client: stage.client,
      });
      await runner.run(outer, "go");
    },
    "a guardrail that answers in an unknown form": async (stage) => {
      const guardrail = { name: "odd", run: async () => ({ behavior: "deny" }) };
      const over = [{ id: "c", tool: "pay", args: { amount: 500, to: "a" } }] as const;
      const odd = payTool(stage, { inputGuardrails: [guardrail] });
      await runner.run(agentOf({ ...stage, calls: over }, [odd]).agent, "go");
    },
    "an approval function that answers nothing": async (stage) => {
      const odd = payTool(stage, { needsApproval: async () => undefined });
      await runner.run(agentOf(stage, [odd]).agent, "go");
    },
    "a rewrite for a tool with a JSON Schema, which the framework does not check": async (stage) => {
      const odd = tool({
        name: "pay",
        description: "Pays",
        strict: false,
        parameters: {
          type: "object",
          properties: { amount: { type: "number" } },
          required: ["amount"],
          additionalProperties: true,
        },
        execute: (args) => stage.pay(args),
      });
      await runner.run(agentOf(stage, [odd]).agent, "go");
    },
    "a misspelled option": async ({ client }) => {
      const options = { agentID: "agent-1", client };
      governed(new Agent({ name: "payer" }), options as unknown as HostingAdapterOptions);
    },
  },
};
