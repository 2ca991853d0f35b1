import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ProgramResult, runProgram } from "../processes/run-program.ts";
import { CLI_ENTRY } from "./cli-entry.ts";

/** A user who has the package. */
export interface Home {
  /** The user's settings of Claude Code. */
  readonly settings: string;
  /** Where the program is installed. */
  readonly program: string;
  run(...args: string[]): Promise<ProgramResult>;
  hook(event: string): Promise<{ readonly command: string; readonly timeout: number }>;
}

/** The package in a folder whose name needs quotes. */
export interface InstalledCli {
  readonly folder: string;
  readonly program: string;
  /** What starts it. */
  readonly bin: string;
}

export async function installCli(parent: string): Promise<InstalledCli> {
  const folder = join(parent, "it's mine");
  const program = join(folder, "node_modules", "@svc", "cli", "dist");
  await cp(dirname(CLI_ENTRY), program, { recursive: true });
  const bin = join(folder, "node_modules", ".bin", "svc-cli");
  await mkdir(dirname(bin));
  await symlink(join("..", "@svc", "cli", "dist", "main.js"), bin);
  return { folder, program, bin };
}

/** A new user of a package, whose home is beside it. @param text settings of Claude Code, if there are any */
export async function homeBeside({ folder, program, bin }: InstalledCli, text?: string): Promise<Home> {
  const home = await mkdtemp(join(folder, "home-"));
  const settings = join(home, ".claude", "settings.json");
  await writeFile(join(home, "svc-cli"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  await mkdir(dirname(settings));
  if (text !== undefined) await writeFile(settings, text);
  return {
    settings,
    program,
    run: (...args) => runProgram(process.execPath, [bin, "hook", ...args], { HOME: home }, { cwd: home }),
    hook: async (event) => {
      const { hooks } = JSON.parse(await readFile(settings, "utf8")) as {
        hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]>;
      };
      const [found] = hooks[event]?.[0]?.hooks ?? [];
      if (found === undefined) throw new Error(`no hook of ${event}`);
      return found;
    },
  };
}
