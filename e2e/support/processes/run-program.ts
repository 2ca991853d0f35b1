import { spawn } from "node:child_process";
import { once } from "node:events";
import { shownSecret } from "@svc/contract/testing/shown-secret";
import { startEnvironment } from "./start-environment.ts";

/** How a program that ran to its end ended. */
export interface ProgramResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd?: string;
  /** For a program whose answer is a new key. */
  readonly showsKeys?: boolean;
}

/**
 * Runs a program to its end, where the tests run, with `startEnvironment` and the given variables.
 * @throws when it prints a secret: a key of these variables, or any whole API key
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { cwd, showsKeys = false }: RunOptions = {},
): Promise<ProgramResult> {
  const child = spawn(command, args, {
    env: { ...startEnvironment(), ...env },
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.stdout += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.stderr += chunk.toString("utf8");
  });
  await once(child, "close");
  const secret = showsKeys ? null : shownSecret(output.stdout + output.stderr, env);
  if (secret !== null) throw new Error(`${command} ${args.join(" ")} prints ${secret}`);
  return { exitCode: child.exitCode, ...output };
}
