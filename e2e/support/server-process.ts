import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Milliseconds within which a server must be listening, on a busy machine. */
const START_DEADLINE_MS = 15_000;

const ENTRY = fileURLToPath(new URL("../../packages/server/dist/main.js", import.meta.url));

export interface ServerOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A program in front of node, such as a tracer: `["strace", "-f"]`. */
  readonly wrapper?: readonly string[];
}

/** A real svc-server in a process of its own, on free ports. */
export interface ServerProcess {
  /** Address of the gateway and control endpoints. */
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from spawn to listening. */
  readonly startedInMs: number;
  /** Everything that it has logged, a line each. */
  readonly log: readonly string[];
  /** Sends a signal and waits until the process is gone. Resolves with its exit code; null after a signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a server and waits until it listens. @throws with its log when it ends or stays silent instead. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const startedAt = performance.now();
  const command = [...(options.wrapper ?? []), process.execPath, ENTRY];
  const child = spawn(command[0] ?? process.execPath, command.slice(1), {
    env: { PATH: process.env["PATH"] ?? "", ...environment(options) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log: string[] = [];
  const url = await listeningUrl(child, log);
  return {
    url,
    pid: child.pid ?? -1,
    startedInMs: performance.now() - startedAt,
    log,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill(signal);
      await once(child, "exit");
      return child.exitCode;
    },
  };
}

function environment({ dataDir, env }: ServerOptions): Record<string, string> {
  return { SVC_LISTEN: "127.0.0.1:0", SVC_AUTH: "off", SVC_DATA_DIR: dataDir, ...env };
}

function listeningUrl(child: ChildProcess, log: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`the server ${why}\n${log.join("\n")}`));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail(`was not listening after ${String(START_DEADLINE_MS)} ms`);
    }, START_DEADLINE_MS);
    child.once("error", (error) => fail(`did not start: ${error.message}`));
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      fail(`ended before it was listening: ${String(code ?? signal)}`);
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        log.push(line);
        const url = urlOf(line);
        if (url === null) return;
        clearTimeout(timer);
        resolve(url);
      });
    }
  });
}

/** The server logs `{"msg":"listening","url":...}` once it is ready. */
function urlOf(line: string): string | null {
  if (!line.includes('"msg":"listening"')) return null;
  const { url } = JSON.parse(line) as { url?: string };
  return url ?? null;
}
