import { spawn } from "node:child_process";
import { once } from "node:events";
import { startEnvironment } from "./start-environment.ts";

/** Gives the program a terminal of its own, on which the input of Python is typed. */
const PTY = "import os,pty,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

/** Milliseconds that a run may take. */
const TIMEOUT_MS = 60_000;

export interface TypedRun {
  readonly env?: Readonly<Record<string, string>>;
  /** What the person types, with the ends of lines. */
  readonly types?: string;
}

/** Runs a program as a person at a terminal would. Needs python3. */
export async function runAtTerminal(
  command: readonly string[],
  { env = {}, types = "" }: TypedRun = {},
): Promise<{ readonly exitCode: number | null; readonly screen: string }> {
  const child = spawn("python3", ["-c", PTY, ...command], {
    env: { ...startEnvironment(), ...env },
    stdio: ["pipe", "pipe", "inherit"],
    // A question that nobody answers waits for ever.
    timeout: TIMEOUT_MS,
  });
  let screen = "";
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString("utf8");
  });
  child.stdin.end(types);
  await once(child, "close");
  return { exitCode: child.exitCode, screen };
}
