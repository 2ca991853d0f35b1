import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Cleanup } from "./cleanup.ts";

/** Longest start of a process in milliseconds, on a busy machine. */
const START_TIMEOUT_MS = 30_000;

/** Milliseconds between the polite and the final signal: writing a CPU profile takes a while. */
const STOP_GRACE_MS = 15_000;

/** Lines of output kept to say why a process failed. */
const KEPT_LINES = 50;

/** Milliseconds between two questions whether a process answers yet. */
const POLL_MS = 50;

/**
 * How a process shows that it is ready. `line`: by a line of output, of which `read` makes what the caller
 * needs, and null of every other. `answers`: by answering well at the URL, `accepts`: by answering there at
 * all; what it prints is dropped unread.
 */
export type Readiness =
  | { readonly kind: "line"; readonly read: (line: string) => string | null }
  | { readonly kind: "answers" | "accepts"; readonly url: string };

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly readiness: Readiness;
  readonly cleanup: Cleanup;
}

/** A process of the scenario's own, ended by its process id. */
export interface RunningChild {
  /** What its ready line said, or the URL at which it answers. */
  readonly ready: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a program and waits until it says that it is ready. @throws with its last output if not. */
export async function startChild(command: readonly string[], options: ChildOptions): Promise<RunningChild> {
  const [program = process.execPath, ...args] = command;
  const env = { PATH: process.env["PATH"] ?? "", ...options.env };
  const { readiness, cleanup } = options;
  const output = readiness.kind === "line" ? "pipe" : "ignore";
  const child = spawn(program, args, { env, stdio: ["ignore", output, output] });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const stop = (): Promise<void> => stopChild(child, ended);
  cleanup.defer(stop);
  const ready = await (readiness.kind === "line"
    ? readyText(child, program, readiness.read)
    : untilAnswering(child, program, readiness));
  return { ready, pid: child.pid ?? 0, stop };
}

async function untilAnswering(
  child: ChildProcess,
  program: string,
  { kind, url }: Exclude<Readiness, { kind: "line" }>,
): Promise<string> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  let answers = false;
  while (!answers) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${program} did not answer at ${url}`);
    await delay(POLL_MS);
    answers = await fetch(url).then(
      ({ ok }) => ok || kind === "accepts",
      () => false,
    );
  }
  return url;
}

function readyText(
  child: ChildProcess,
  program: string,
  readyLine: (line: string) => string | null,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const last: string[] = [];
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(`${program} ${why}\n${last.join("\n")}`));
    };
    const timer = setTimeout(() => fail(`was not ready after ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
    child.once("error", (error) => fail(`did not start: ${error.message}`));
    child.once("exit", (code, signal) => fail(`ended before it was ready: ${String(code ?? signal)}`));
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        if (last.push(line) > KEPT_LINES) last.shift();
        const ready = readyLine(line);
        if (ready === null) return;
        clearTimeout(timer);
        resolve(ready);
      });
    }
  });
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill("SIGTERM");
  const killer = setTimeout(() => child.kill("SIGKILL"), STOP_GRACE_MS);
  await ended;
  clearTimeout(killer);
}
