import { type RecordingServer, startRecordingServer } from "../support/adapters/recording-server.ts";

/** What the model does when it is asked once more. */
export interface ModelTurn {
  /** Happens before it answers. */
  readonly before?: () => unknown;
  /** The tool that it wants called, and with what; it says that it is done when there is none. */
  readonly call?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
}

/** A model behind the chat completions interface of OpenAI, which every framework speaks. */
export interface ScriptedModel {
  /** What frameworks take as their base address. */
  readonly url: string;
  /** What it received at the start of each turn but the first: the text of the last tool result. */
  heard(): readonly string[];
  readonly server: RecordingServer;
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** What the model says at its end. */
export const LAST_WORDS = "That is all.";

export async function startScriptedModel(turns: readonly ModelTurn[]): Promise<ScriptedModel> {
  let asked = 0;
  const server = await startRecordingServer((_, response) => {
    const turn = turns[asked] ?? {};
    asked += 1;
    const answer = async (): Promise<void> => {
      await turn.before?.();
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(completionOf(turn, asked)));
    };
    answer().catch(() => response.destroy());
  });
  return {
    url: `http://127.0.0.1:${String(server.port)}/v1`,
    heard: () => server.requests.slice(1).map(({ body }) => lastToolText(JSON.parse(body) as ChatRequest)),
    server,
  };
}

function completionOf({ call }: ModelTurn, turn: number): object {
  const toolCall = {
    id: `call_${String(turn)}`,
    type: "function",
    function: { name: call?.tool, arguments: JSON.stringify(call?.args) },
  };
  const message = call
    ? { role: "assistant", content: null, tool_calls: [toolCall] }
    : { role: "assistant", content: LAST_WORDS };
  return {
    id: `completion-${String(turn)}`,
    object: "chat.completion",
    created: 1_700_000_000,
    model: "scripted",
    choices: [{ index: 0, finish_reason: call ? "tool_calls" : "stop", message }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** Frameworks write the content as a text, or as parts of which some have a text. */
function lastToolText({ messages }: ChatRequest): string {
  const content = messages.findLast(({ role }) => role === "tool")?.content;
  if (typeof content === "string") return content;
  const parts = (content ?? []) as readonly { readonly text?: string }[];
  return parts.map(({ text = "" }) => text).join("");
}
