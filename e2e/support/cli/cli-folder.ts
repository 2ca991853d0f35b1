import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ProgramResult } from "../processes/run-program.ts";
import { temporaryDirectory } from "../processes/temporary-directory.ts";
import { runCli } from "./run-cli.ts";

/** svc-cli in a folder of its own, against one server. */
export interface CliFolder {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  write(name: string, text: string): Promise<void>;
  run(...args: readonly string[]): Promise<ProgramResult>;
  /** Runs with `-o json`. */
  json(...args: readonly string[]): Promise<{ readonly exitCode: number | null; readonly body: unknown }>;
}

/** The folder goes with the test. */
export async function cliFolder(
  url: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<CliFolder> {
  const path = await temporaryDirectory();
  const env = { SVC_URL: url, USER: "ana", XDG_CONFIG_HOME: join(path, "none"), ...variables };
  const run = (...args: readonly string[]) => runCli(args, env, { cwd: path });
  return {
    path,
    env,
    write: async (name, text) => {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), text);
    },
    run,
    json: async (...args) => {
      const { exitCode, stdout, stderr } = await run(...args, "-o", "json");
      return { exitCode, body: stdout === "" ? stderr : (JSON.parse(stdout) as unknown) };
    },
  };
}
