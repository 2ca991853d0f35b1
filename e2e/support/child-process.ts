import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Longest wait in milliseconds for a process to listen: a busy machine starts slowly. */
const START_TIMEOUT_MS = 20_000;

/** Pause between two looks at a port in milliseconds. */
const POLL_INTERVAL_MS = 25;

/** Grace in milliseconds between the polite and the final signal. */
const STOP_GRACE_MS = 3_000;

/** Most output kept of a process, in characters: the end says why it failed. */
const KEPT_OUTPUT = 20_000;

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Port on 127.0.0.1 that the process opens when it is ready. */
  readonly readyPort: number;
}

/** A process of the test's own. */
export interface RunningProcess {
  readonly pid: number;
  /** What it printed so far, both streams, the end of it. */
  output(): string;
  /** Ends it and everything it started: by its own process group, never by name. */
  stop(): Promise<void>;
}

/**
 * Starts a program and waits until its port answers. @throws with its output when it ends or stays silent.
 */
export async function startProcess(
  command: string,
  args: readonly string[],
  { cwd, env, readyPort }: StartOptions,
): Promise<RunningProcess> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString("utf8")).slice(-KEPT_OUTPUT);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const failed = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`exit ${code ?? signal}`));
  });
  const stop = (): Promise<void> => stopChild(child);
  const problem = await Promise.race([failed, waitForPort(readyPort)]);
  if (problem !== null) {
    await stop();
    throw new Error(`${command} did not start: ${problem}\n${output}`);
  }
  return { pid: child.pid ?? 0, output: () => output, stop };
}

/** @returns null as soon as something listens, else what went wrong. */
async function waitForPort(port: number): Promise<string | null> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (await accepts(port)) return null;
    await delay(POLL_INTERVAL_MS);
  }
  return `nothing listens on port ${port} after ${START_TIMEOUT_MS} ms`;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const done = (listening: boolean): void => {
      socket.destroy();
      resolve(listening);
    };
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  signalGroup(pid, "SIGTERM");
  const killer = setTimeout(() => signalGroup(pid, "SIGKILL"), STOP_GRACE_MS);
  await ended;
  clearTimeout(killer);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
