import { Agent } from "@mastra/core/agent";
import { createDurableAgent } from "@mastra/core/agent/durable";
import type { MastraModelConfig } from "@mastra/core/llm";
import { createTool } from "@mastra/core/tools";
import { type AdapterOptions, governed } from "@svc/client/mastra";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { z } from "zod";
import type { ModelCall } from "./cases.ts";
import type { Driver, Seen, Stage } from "./driver.ts";

type Prompt = Parameters<MockLanguageModelV3["doGenerate"]>[0]["prompt"];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function resultsIn(prompt: Prompt): string[] {
  const parts = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
  return parts.flatMap((part) => (part.type === "tool-result" ? [JSON.stringify(part.output)] : []));
}

function scriptedModel(calls: readonly ModelCall[]) {
  const read: string[] = [];
  const parts = (prompt: Prompt) => {
    const results = resultsIn(prompt);
    read.splice(0, read.length, ...results);
    return results.length > 0
      ? null
      : calls.map(({ id, tool: toolName, args }) => ({
          type: "tool-call" as const,
          toolCallId: id,
          toolName,
          input: JSON.stringify(args),
        }));
  };
  const model = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const asked = parts(prompt);
      return {
        content: asked ?? [{ type: "text", text: "done" }],
        finishReason: { unified: asked === null ? "stop" : "tool-calls", raw: undefined },
        usage,
        warnings: [],
      };
    },
    doStream: async ({ prompt }) => {
      const asked = parts(prompt);
      const finishReason = { unified: asked === null ? "stop" : "tool-calls", raw: undefined } as const;
      const text = [
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: "done" },
        { type: "text-end", id: "t" },
      ] as const;
      const start = { type: "stream-start", warnings: [] } as const;
      const all = [start, ...(asked ?? text), { type: "finish", finishReason, usage } as const];
      return { stream: convertArrayToReadableStream(all) as never };
    },
  });
  // Both name the same model, in types of different packages.
  return { model: model as unknown as MastraModelConfig, read };
}

const OPTIONS = { agentId: "agent-1", sessionId: "thread-1" };
const inputSchema = z.object({ amount: z.number(), to: z.string() });
const payTool = ({ pay }: Stage) =>
  createTool({ id: "pay", description: "Pays", inputSchema, execute: async (args) => pay(args) });

function agentOf(stage: Stage, calls = stage.calls) {
  const { model, read } = scriptedModel(calls);
  const agent = new Agent({
    id: "payer",
    name: "payer",
    instructions: "Pay.",
    model,
    tools: { pay: payTool(stage) },
  });
  return { agent: governed(agent, { ...OPTIONS, client: stage.client }), read };
}

async function run(stage: Stage): Promise<Seen> {
  const { agent, read } = agentOf(stage);
  await agent.generate("go", { maxSteps: 3 });
  return { read: [...read], paused: false };
}

const OVER = [{ id: "c", tool: "pay", args: { amount: 500, to: "a" } }] as const;

export const driver: Driver = {
  run,
  traps: {
    "a run that streams": async (stage) => {
      const { agent } = agentOf(stage, OVER);
      const { text } = await agent.stream("go", { maxSteps: 3 });
      await text;
    },
    "an agent as the tool of another": async (stage) => {
      const { agent: inner } = agentOf(stage);
      const call = { id: "c", tool: "agent-inner" as "pay", args: { prompt: "pay" } };
      const { model } = scriptedModel([call]);
      const outer = new Agent({ id: "o", name: "o", instructions: "", model, agents: { inner } });
      await governed(outer, { agentId: "outer", client: stage.client }).generate("go", { maxSteps: 3 });
    },
    "hooks of the run that let all calls pass": async (stage) => {
      const { agent } = agentOf(stage, OVER);
      await agent.generate("go", { maxSteps: 3, hooks: { beforeToolCall: () => undefined } });
    },
    "hooks of the run that change the arguments": async (stage) => {
      const { agent } = agentOf(stage);
      const beforeToolCall = ({ input }: { input: unknown }) =>
        void Object.assign(input as object, { amount: 500 });
      await agent.generate("go", { maxSteps: 3, hooks: { beforeToolCall } });
    },
    "tools that the run brings along": async (stage) => {
      const { agent } = agentOf(stage, OVER);
      await agent.generate("go", { maxSteps: 3, toolsets: { own: { pay: payTool(stage) } } });
    },
    "a stored version of a governed agent": async (stage) => {
      const { agent } = agentOf(stage, OVER);
      await agent.__fork().generate("go", { maxSteps: 3 });
    },
    "a durable agent": async (stage) => {
      const { model } = scriptedModel(OVER);
      const tools = { pay: payTool(stage) };
      const agent = new Agent({ id: "payer", name: "payer", instructions: "Pay.", model, tools });
      governed(createDurableAgent({ agent }), { ...OPTIONS, client: stage.client });
    },
    "a durable agent around a governed one": async (stage) => {
      const durable = createDurableAgent({ agent: agentOf(stage, OVER).agent });
      const { output, cleanup } = await durable.stream("go", { maxSteps: 3 });
      await output.text;
      cleanup();
    },
    "a misspelled option": async ({ client }) => {
      const agent = new Agent({ id: "a", name: "a", instructions: "", model: "openai/gpt-5" });
      governed(agent, { agentID: "agent-1", client } as unknown as AdapterOptions);
    },
  },
};
