// peers: python-mcp
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PYTHON_AGENTS, PYTHON_SDK_2 } from "../support/processes/peer-programs.ts";
import type { McpClient, McpClientKind } from "./mcp-clients.ts";

const DRIVER = join(import.meta.dirname, "python", "client.py");

/** The result of one command, as the driver prints it. */
interface Outcome {
  readonly tools?: readonly string[];
  readonly text?: string;
  readonly error?: string;
  readonly code?: number | null;
}

const KINDS = [
  { name: "Python SDK 1", era: "sessions", client: "sdk-1", folder: PYTHON_AGENTS },
  { name: "Python SDK 2, with sessions", era: "sessions", client: "sdk-2-sessions", folder: PYTHON_SDK_2 },
  { name: "Python SDK 2, stateless", era: "stateless", client: "sdk-2-stateless", folder: PYTHON_SDK_2 },
  { name: "fastmcp 3", era: "sessions", client: "fastmcp", folder: PYTHON_AGENTS },
] as const;

/** The Python clients that the test runner installs. */
export const pythonClients: readonly McpClientKind[] = KINDS.map(({ name, era, client, folder }) => ({
  name,
  era,
  connect: (url) => connect({ client, folder, url }),
}));

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
