import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { McpClient, McpClientKind } from "./mcp-clients.ts";

const DRIVER = join(import.meta.dirname, "python-client.py");

/** Where the test runner puts what it installs. */
const TOOLS = join(import.meta.dirname, "..", "..", ".tools");

/** What both tell of one command. */
interface Outcome {
  readonly tools?: readonly string[];
  readonly text?: string;
  readonly error?: string;
  readonly code?: number | null;
}

/**
 * The Python SDKs, as far as the test runner could install them; SDK 2 speaks the stateless era by itself.
 */
export const pythonClients: readonly McpClientKind[] = [
  { name: "Python SDK 1", era: "sessions", connect: (url) => connect("1", url) },
  { name: "Python SDK 2", era: "stateless", connect: (url) => connect("2", url) },
];

export const hasPythonClients = existsSync(folderOf("1")) && existsSync(folderOf("2"));

function folderOf(sdk: "1" | "2"): string {
  return join(TOOLS, `python-mcp-${sdk}`);
}

async function connect(sdk: "1" | "2", url: string): Promise<McpClient> {
  const child = spawn("python3", [DRIVER, sdk, url], {
    env: { PATH: process.env["PATH"] ?? "", PYTHONPATH: folderOf(sdk), PYTHONDONTWRITEBYTECODE: "1" },
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
