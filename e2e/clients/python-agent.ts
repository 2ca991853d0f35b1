import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

const SOURCE = join(import.meta.dirname, "..", "..", "clients", "python", "src");
const AGENT = join(import.meta.dirname, "python", "agent.py");

/** How one call of the agent ended, and what ran. */
export interface AgentAnswer {
  readonly result?: unknown;
  readonly denied?: unknown;
  readonly text?: string;
  readonly paused?: string;
  readonly approval_id?: string;
  readonly ran: readonly string[];
}

/** An agent in Python, with the client as its users have it. */
export interface PythonAgent {
  ask(what: string, args: object): Promise<AgentAnswer>;
  /** Ends it in good order. @throws with what it printed when it does not */
  end(): Promise<void>;
}

/** Starts one that goes with the test. It finds address and key in its environment. */
export function startPythonAgent(url: string, key: string): PythonAgent {
  const environment = { PATH: process.env["PATH"] ?? "", PYTHONPATH: SOURCE, PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn("python3", [AGENT, JSON.stringify({ url, key })], {
    env: { ...environment, SVC_URL: url, SVC_API_KEY: key, SVC_DECISION_TIMEOUT_MS: "20000" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (what, args) => {
      child.stdin.write(`${JSON.stringify({ do: what, args })}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the agent ended: ${complaints}`);
      return JSON.parse(value) as AgentAnswer;
    },
    end: async () => {
      const ended = once(child, "close");
      child.stdin.end();
      await ended;
      if (child.exitCode !== 0) throw new Error(`the agent failed: ${complaints}`);
    },
  };
}
