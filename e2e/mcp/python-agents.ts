// peers: python-mcp
import { execFile } from "node:child_process";
import { join } from "node:path";
import { PYTHON_AGENTS } from "../support/processes/peer-programs.ts";

/** How the run of an agent ended: with what its model said last, or with what the framework raised. */
export type AgentEnd = { readonly said: string } | { readonly raised: string; readonly message: string };

/** An agent framework, and its setting for tool calls that the server answers with an error. */
export interface AgentKind {
  readonly framework: "openai-agents" | "pydantic-ai" | "langchain";
  /** `plain`: the default. `told`: the model receives the error and continues. */
  readonly settings: "plain" | "told";
}

/** Longest run in milliseconds: starting Python with a framework takes seconds on a busy machine. */
const RUN_TIMEOUT_MS = 90_000;

/** Runs an agent from its start to its end, with the MCP server and the model at the two addresses. */
export async function runAgent(
  { framework, settings }: AgentKind,
  mcpUrl: string,
  modelUrl: string,
): Promise<AgentEnd> {
  const driver = join(import.meta.dirname, "python", `run-${framework}.py`);
  const env = { PATH: process.env["PATH"] ?? "", PYTHONPATH: PYTHON_AGENTS };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile(
    "python3",
    [driver, mcpUrl, modelUrl, settings],
    { env, timeout: RUN_TIMEOUT_MS },
    (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${framework} did not end by itself: ${error.message}\n${stderr.slice(-2_000)}`));
    },
  );
  return JSON.parse(await promise) as AgentEnd;
}
