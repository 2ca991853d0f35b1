import {
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type RunningMcpServer, registerEcho, serveBothEras } from "./mcp-servers.ts";

/** The smallest picture and sound that are any: one pixel, and no sample. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const described = { description: "What its name says" };
const text = (content: string) => ({ type: "text", text: content }) as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const audio = { type: "audio", data: SILENCE, mimeType: "audio/wav" } as const;
const embedded = (uri: string, mimeType: string, content: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: content } }) as const;

/** Its key is not a secret: the suite only checks that a changed state is refused. */
const states = createRequestStateCodec<string>({ key: "k".repeat(32) });

type Answer = CallToolResult | InputRequiredResult;
type Tool = (ctx: ServerContext) => Answer | Promise<Answer>;

function ask(message: string, field: string, type: "string" | "boolean" = "string") {
  const properties = { [field]: type === "string" ? { type } : { type } };
  return inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties, required: [field] },
  });
}

const greeting = inputRequired.createMessage({
  messages: [{ role: "user", content: text("Generate a greeting") }],
  maxTokens: 50,
});
const name = ask("What is your name?", "name");

/** Asks for these until the answers are there. */
function asking(requests: Parameters<typeof inputRequired>[0]["inputRequests"], done: string): Tool {
  return async (ctx) =>
    ctx.mcpReq.inputResponses === undefined
      ? inputRequired({ inputRequests: requests ?? {}, requestState: await states.mint("asked") })
      : { content: [text(done)] };
}

async function reportProgress({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
    const params = { progressToken: progressToken ?? "", progress, total: 100 };
    await mcpReq.notify({ method: "notifications/progress", params });
  }
  return { content: [text("Done.")] };
}

async function askTwice(ctx: ServerContext): Promise<Answer> {
  const answers = ctx.mcpReq.inputResponses ?? {};
  if ("step2" in answers) return { content: [text("Done.")] };
  const [key, question] = "step1" in answers ? ["step2", "Which colour?"] : ["step1", "What name?"];
  const inputRequests = { [key]: ask(question, "answer") };
  return inputRequired({ inputRequests, requestState: await states.mint(key) });
}

const TOOLS: Readonly<Record<string, Tool>> = {
  test_simple_text: () => ({ content: [text("This is a simple text response for testing.")] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [audio] }),
  test_embedded_resource: () => ({
    content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  }),
  test_multiple_content_types: () => ({
    content: [text("Several:"), image, embedded("test://mixed-content-resource", "application/json", "{}")],
  }),
  test_error_handling: () => ({ content: [text("This tool fails.")], isError: true }),
  test_tool_with_progress: reportProgress,
  test_input_required_result_elicitation: asking({ user_name: name }, "Hello, you!"),
  test_input_required_result_sampling: asking({ capital: greeting }, "Greeted."),
  test_input_required_result_list_roots: asking({ client_roots: inputRequired.listRoots() }, "Listed."),
  test_input_required_result_request_state: asking({ confirm: ask("Sure?", "ok", "boolean") }, "state-ok"),
  test_input_required_result_multiple_inputs: asking(
    { user_name: name, greeting, client_roots: inputRequired.listRoots() },
    "All there.",
  ),
  test_input_required_result_multi_round: askTwice,
  test_input_required_result_tampered_state: asking({ confirm: ask("Sure?", "ok", "boolean") }, "state-ok"),
  test_input_required_result_capabilities: asking({ greeting }, "Greeted."),
};

function make(): McpServer {
  const requestState = { verify: (state: string, ctx: ServerContext) => states.verify(state, ctx) };
  const server = new McpServer({ name: "conformance", version: "1.0.0" }, { requestState });
  for (const [tool, run] of Object.entries(TOOLS)) {
    server.registerTool(tool, described, async (ctx) => run(ctx));
  }
  registerEcho(server, () => {});
  addResources(server);
  addPrompts(server);
  return server;
}

function addResources(server: McpServer): void {
  const plain = { mimeType: "text/plain" };
  server.registerResource("text", "test://static-text", plain, ({ href }) => ({
    contents: [{ uri: href, ...plain, text: "This is the content of the static text resource." }],
  }));
  server.registerResource("binary", "test://static-binary", {}, ({ href }) => ({
    contents: [{ uri: href, mimeType: "image/png", blob: PIXEL }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, {}, ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: "application/json", text: JSON.stringify({ id }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const prompt = (content: ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>) => ({
    messages: [{ role: "user" as const, content }],
  });
  const context = ask("What context?", "context");
  server.registerPrompt("test_simple_prompt", described, () =>
    prompt(text("This is a simple prompt for testing.")),
  );
  server.registerPrompt("test_prompt_with_image", described, () => prompt(image));
  server.registerPrompt("test_input_required_result_prompt", described, ({ mcpReq }) =>
    mcpReq.inputResponses === undefined
      ? inputRequired({ inputRequests: { user_context: context } })
      : prompt(text("With context.")),
  );
}

/** A server of both eras with much of what the conformance suite asks for. */
export function startConformanceServer(): Promise<RunningMcpServer> {
  return serveBothEras(make);
}
