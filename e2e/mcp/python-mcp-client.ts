import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { McpClient, McpClientKind } from "./mcp-clients.ts";

const DRIVER = join(import.meta.dirname, "python", "client.py");

/** Where the test runner puts what it installs. */
const TOOLS = join(import.meta.dirname, "..", "..", ".tools");

/** The agent frameworks, and with them the SDK of the eras with sessions. */
export const AGENTS_FOLDER = join(TOOLS, "python-agents");
const SDK_2_FOLDER = join(TOOLS, "python-mcp-2");

/** What both tell of one command. */
interface Outcome {
  readonly tools?: readonly string[];
  readonly text?: string;
  readonly error?: string;
  readonly code?: number | null;
}

const KINDS = [
  { name: "Python SDK 1", era: "sessions", client: "sdk-1", folder: AGENTS_FOLDER },
  { name: "Python SDK 2, with sessions", era: "sessions", client: "sdk-2-sessions", folder: SDK_2_FOLDER },
  { name: "Python SDK 2, stateless", era: "stateless", client: "sdk-2-stateless", folder: SDK_2_FOLDER },
  { name: "fastmcp 3", era: "sessions", client: "fastmcp", folder: AGENTS_FOLDER },
] as const;

/** The Python clients that the test runner installs. */
export const pythonClients: readonly McpClientKind[] = KINDS.map(({ name, era, client, folder }) => ({
  name,
  era,
  connect: (url) => connect({ client, folder, url }),
}));

export const hasPythonClients = existsSync(AGENTS_FOLDER) && existsSync(SDK_2_FOLDER);

interface Driven {
  readonly client: string;
  readonly folder: string;
  readonly url: string;
}

async function connect({ client, folder, url }: Driven): Promise<McpClient> {
  const child = spawn("python3", [DRIVER, client, url], {
    env: { PATH: process.env["PATH"] ?? "", PYTHONPATH: folder },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += String(chunk);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (command: object): Promise<Outcome> => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    const line = await lines.next();
    if (line.done === true) throw new Error(`the Python client ended: ${complaints.slice(-2_000)}`);
    const outcome = JSON.parse(line.value) as Outcome;
    if (outcome.error === undefined) return outcome;
    throw Object.assign(new Error(outcome.error), { code: outcome.code });
  };
  // It is connected when it has an answer.
  await ask({ do: "list" });
  return {
    listTools: async () => (await ask({ do: "list" })).tools ?? [],
    call: async (tool, args) => (await ask({ do: "call", tool, args })).text ?? "",
    close: async () => {
      const ended = child.exitCode === null ? once(child, "exit") : null;
      child.kill("SIGKILL");
      await ended;
    },
  };
}
