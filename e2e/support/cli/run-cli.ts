import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { runCaptured } from "@svc/cli/testing/run-captured";
import type { ProgramResult } from "../processes/run-program.ts";
import { startEnvironment } from "../processes/start-environment.ts";
import { withCliKey } from "./cli-key.ts";

interface CliOptions {
  readonly cwd?: string;
  /** For a command whose answer is a new key. */
  readonly showsKeys?: boolean;
}

/** The bundle that a run of tests makes of the command line. */
const BUNDLE = pathToFileURL(join(process.env["SVC_TEST_WORKERS"] ?? "", "run-captured.js")).href;

/**
 * Runs svc-cli in this process, with stdin at its end and no terminal. To start a process takes thirty times
 * the time; tests of signals, terminals, pipes and the installed program do it with `CLI_ENTRY`.
 * For a server of `startServer` it gets a key of the role that runs the command, unless the test brings one.
 * @throws when it prints a secret: a key of these variables, or any whole API key
 */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { cwd = process.cwd(), showsKeys = false }: CliOptions = {},
): Promise<ProgramResult> {
  const cli = (await import(/* @vite-ignore */ BUNDLE)) as { readonly runCaptured: typeof runCaptured };
  const { exitCode, out, error } = await cli.runCaptured(args, {
    environment: { ...startEnvironment(), ...(await withCliKey(args, env)) },
    workingDirectory: cwd,
    showsKeys,
  });
  return { exitCode, stdout: out, stderr: error };
}
