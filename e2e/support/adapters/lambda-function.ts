import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { makeTemporaryDirectory } from "../processes/temporary-directory.ts";

const BUNDLE = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "packages",
  "agentcore-interceptor",
  "dist",
  "handler.mjs",
);
const RUNTIME = join(import.meta.dirname, "lambda-runtime.ts");

/** A function in a process of its own, in a folder that holds only its one file. */
export interface LambdaFunction {
  /** Runs the handler on one event; both travel as JSON. @throws when the function fails. */
  invoke(event: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

export interface LambdaOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds that an invocation may take. The handler can read them. */
  readonly timeoutMs?: number;
}

interface Reply {
  readonly number: number;
  readonly output?: unknown;
  readonly error?: string;
}

/** Milliseconds of an invocation unless a test says otherwise. */
const DEFAULT_TIMEOUT_MS = 30_000;

export async function startLambdaFunction(options: LambdaOptions): Promise<LambdaFunction> {
  const folder = await makeTemporaryDirectory();
  const file = join(folder.path, "handler.mjs");
  await copyFile(BUNDLE, file);
  const { env, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const child = fork(RUNTIME, [file, String(timeoutMs)], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const invoke = invokerOf(child);
  return {
    invoke,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      await folder.remove();
    },
  };
}

function invokerOf(child: ChildProcess): LambdaFunction["invoke"] {
  const waiting = new Map<number, (reply: Reply) => void>();
  let last = 0;
  child.on("message", (message) => {
    const reply = message as Reply;
    waiting.get(reply.number)?.(reply);
    waiting.delete(reply.number);
  });
  child.once("exit", () => {
    for (const [number, settle] of waiting) settle({ number, error: "the function ended" });
  });
  return async (event) => {
    last += 1;
    const number = last;
    const replied = Promise.withResolvers<Reply>();
    waiting.set(number, replied.resolve);
    child.send({ number, event });
    const { output, error } = await replied.promise;
    if (error !== undefined) throw new Error(error);
    return output;
  };
}
