import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { killGroup } from "@svc/process/kill-group";

/** Most lines of output that are kept for messages. The end says why. */
const KEPT_LINES = 40;

/** Milliseconds that a program has to end before it is killed. */
const STOP_GRACE_MS = 8_000;

/**
 * The program takes the place of the shell, so it has the shell's process id. A reader of a pipe from
 * this process stays beside it and kills it when this process is gone, however it ended.
 */
const KEEPER = `{ read -r _ <&3; kill -9 "$$"; } >/dev/null 2>&1 & exec "$@" 3<&-`;

/** A program that ends with this process at the latest. */
export interface KeptProcess {
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
  readonly hasEnded: boolean;
  /** The last lines of its output. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  stop(signal: NodeJS.Signals): Promise<void>;
}

export interface KeptProcessOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

export function startKeptProcess(program: string, { args, env, onLine }: KeptProcessOptions): KeptProcess {
  const child = spawn("sh", ["-c", KEEPER, "sh", program, ...args], {
    cwd: "/",
    // Only this process passes a Ctrl-C on.
    detached: true,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
      onLine?.(line);
    });
  }
  const pipe = child.stdio[3] as Writable;
  // The reader at its other end is gone when the group was killed.
  pipe.on("error", () => pipe.destroy());
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const ended = once(child, "exit").then(
    // The reader would wait for the pipe.
    () => killGroup(child),
    (error: unknown) => lines.push(String(error)),
  );
  return {
    ended,
    get hasEnded() {
      return hasEnded();
    },
    output: () => lines.join("\n"),
    signal: (signal) => void child.kill(signal),
    stop: async (signal) => {
      if (hasEnded()) return;
      child.kill(signal);
      // A stopped program must wake to end.
      child.kill("SIGCONT");
      const killer = setTimeout(() => child.kill("SIGKILL"), STOP_GRACE_MS);
      await ended;
      clearTimeout(killer);
    },
  };
}
