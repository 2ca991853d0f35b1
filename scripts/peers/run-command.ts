import { spawn } from "node:child_process";

/** Most of a failed command's output that is shown, in characters: its end says why. */
const SHOWN_OUTPUT = 2_000;

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Longest run in milliseconds. */
  readonly timeoutMs?: number;
}

/** @returns what it printed to its standard output. @throws with the end of all output when it failed */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs }: CommandOptions = {},
): Promise<string> {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  });
  let printed = "";
  let output = "";
  child.stdout.on("data", (chunk) => {
    printed += String(chunk);
    output += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    output += String(chunk);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject);
  child.once("close", resolve);
  if ((await promise) === 0) return printed;
  throw new Error(`${command} ${args[0] ?? ""} failed: ${output.slice(-SHOWN_OUTPUT)}`);
}
