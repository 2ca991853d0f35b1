import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { killGroup } from "@svc/process/kill-group";

/** Milliseconds that a program has to end before it is killed. */
const STOP_GRACE_MS = 3_000;

/** Largest part of the output that is kept for an error message, in UTF-16 units. The end says why. */
const KEPT_OUTPUT = 2_000;

/**
 * A shell starts the program and a reader of a pipe from this process. The pipe closes when this process asks
 * for it or is gone, however it ended; the reader then ends the program. Otherwise the program would
 * survive a kill of this process and keep its port.
 */
const KEEPER = `
"$@" 3<&- &
program=$!
{ read -r _ <&3; kill "$program"; } >/dev/null 2>&1 &
reader=$!
wait "$program"
code=$?
kill "$reader" 2>/dev/null
exit "$code"`;

/** A program that ends with this process at the latest. */
export interface KeptProgram {
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
  /** Whether this process has asked it to end. */
  readonly stopping: boolean;
  /** The end of what it printed. */
  output(): string;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Starts a program in a process group of its own, so that only this process passes a Ctrl-C on to it. */
export function startProgram(program: string, { args, cwd }: ProgramOptions): KeptProgram {
  const child = spawn("sh", ["-c", KEEPER, "sh", program, ...args], {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output = `${output}${chunk.toString("utf8")}`.slice(-KEPT_OUTPUT);
    });
  }
  const ended = once(child, "exit").catch((error: unknown) => {
    output += String(error);
  });
  let stopping = false;
  return {
    ended,
    get stopping() {
      return stopping;
    },
    output: () => output.trim(),
    stop: () => {
      stopping = true;
      return stop(child, ended);
    },
  };
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const pipe = child.stdio[3] as Writable;
  // The other end may be gone already.
  pipe.on("error", () => {});
  pipe.end();
  const timer = setTimeout(() => killGroup(child), STOP_GRACE_MS);
  await ended;
  clearTimeout(timer);
}
