import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { startEnvironment } from "./start-environment.ts";

/** Longest wait in milliseconds for a process to be ready: a busy machine starts slowly. */
const START_TIMEOUT_MS = 20_000;

/** Pause between two looks at a port in milliseconds. */
const POLL_INTERVAL_MS = 25;

/** Grace in milliseconds between the polite and the final signal: more than a server's own time to finish. */
const STOP_GRACE_MS = 8_000;

/** Most output shown of a process that did not start, in lines: the end says why. */
const SHOWN_LINES = 100;

interface ListeningPort {
  readonly port: number;
  readonly host?: string;
}

export interface StartOptions {
  readonly cwd?: string;
  /** What the process finds in its environment beside `startEnvironment`. */
  readonly env?: Readonly<Record<string, string>>;
  /** When it is ready: its port (on 127.0.0.1 unless said) is open, or it has printed a line of this form. */
  readonly ready: ListeningPort | { readonly line: RegExp };
  /** Longest wait for that in milliseconds. */
  readonly startWithinMs?: number;
}

/** A process of the test's own. */
export interface RunningProcess {
  readonly pid: number;
  /** What it printed so far on both streams, a line each. */
  readonly lines: readonly string[];
  /** Resolves when it has ended: with its exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
  output(): string;
  /** Sends a signal to the process alone. */
  signal(signal: NodeJS.Signals): void;
  /**
   * Ends it and everything it started, by its own process group and never by name; the final signal follows
   * the polite one. Resolves with its exit code, or null after a signal.
   */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a program and waits until it is ready. @throws with its output when it ends or stays silent. */
export async function startProcess(
  command: string,
  args: readonly string[],
  { cwd, env, ready, startWithinMs = START_TIMEOUT_MS }: StartOptions,
): Promise<RunningProcess> {
  const child = spawn(command, args, {
    cwd,
    env: { ...startEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const lines: string[] = [];
  const printed = "line" in ready ? lineOf(child, ready.line) : null;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => lines.push(line));
  }
  const output = (): string => lines.join("\n");
  const running = { pid: child.pid ?? 0, lines, output, ...handleOf(child) };
  const problem = await Promise.race([
    failureOf(child),
    "port" in ready ? portOpened(ready, startWithinMs) : inTime(printed ?? Promise.resolve(), startWithinMs),
  ]);
  if (problem === null) return running;
  await running.stop("SIGKILL");
  throw new Error(`${command} did not start: ${problem}\n${lines.slice(-SHOWN_LINES).join("\n")}`);
}

function handleOf(child: ChildProcess): Pick<RunningProcess, "exited" | "signal" | "stop"> {
  const exited = new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
    child.once("error", () => resolve(null));
  });
  const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> => {
    const { pid } = child;
    if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return exited;
    signalGroup(pid, signal);
    const killer = setTimeout(() => signalGroup(pid, "SIGKILL"), STOP_GRACE_MS);
    const code = await exited;
    clearTimeout(killer);
    return code;
  };
  return { exited, signal: (signal) => void child.kill(signal), stop };
}

/** Resolves with what went wrong when the process does not start, or ends. */
function failureOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`exit ${String(code ?? signal)}`));
  });
}

function lineOf(child: ChildProcess, form: RegExp): Promise<void> {
  return new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        if (form.test(line)) resolve();
      });
    }
  });
}

/** @returns null when it happened in time, else what did not. */
async function inTime(event: Promise<void>, withinMs: number): Promise<string | null> {
  const giveUp = new AbortController();
  const late = delay(withinMs, `not ready after ${String(withinMs)} ms`, {
    signal: giveUp.signal,
  }).catch(() => null);
  const problem = await Promise.race([event.then(() => null), late]);
  giveUp.abort();
  return problem;
}

/** @returns null as soon as something listens, else what went wrong. */
async function portOpened(listening: ListeningPort, withinMs: number): Promise<string | null> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (await accepts(listening)) return null;
    await delay(POLL_INTERVAL_MS);
  }
  return `nothing listens on port ${listening.port} after ${withinMs} ms`;
}

function accepts({ port, host = "127.0.0.1" }: ListeningPort): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const done = (listening: boolean): void => {
      socket.destroy();
      resolve(listening);
    };
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
