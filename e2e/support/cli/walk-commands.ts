import type { ProgramResult } from "../processes/run-program.ts";

/** A command as its own help describes it. */
export interface WalkedCommand {
  /** Behind the name of the program. */
  readonly words: readonly string[];
  readonly help: string;
  /** `validate [options] <path...>` */
  readonly usage: string;
  readonly options: ReadonlySet<string>;
  readonly hasCommands: boolean;
}

type RunCli = (args: readonly string[]) => Promise<ProgramResult>;

/** Has its own help and its own door to the program: docs/adapters/coding-agents.md. */
const OWN_HELP = "claude-code";

/**
 * Every command that the help of the program leads to, the program first.
 * @param levels how many of them are walked: the program itself is the first
 */
export async function walkCommands(
  run: RunCli,
  levels = Number.POSITIVE_INFINITY,
): Promise<readonly WalkedCommand[]> {
  const found: WalkedCommand[] = [];
  let level: readonly (readonly string[])[] = [[]];
  for (let walked = 0; level.length > 0 && walked < levels; walked += 1) {
    const described = await Promise.all(level.map((words) => describeCommand(words, run)));
    found.push(...described);
    level = described.flatMap(({ words, help }) => commandsIn(help).map((name) => [...words, name]));
  }
  return found;
}

async function describeCommand(words: readonly string[], run: RunCli): Promise<WalkedCommand> {
  const { exitCode, stdout: help, stderr } = await run([...words, "--help"]);
  if (exitCode !== 0 || stderr !== "")
    throw new Error(`svc-cli ${words.join(" ")} --help ended with ${String(exitCode)}: ${stderr}`);
  const [, usage = ""] = /^Usage: svc-cli (.*)$/m.exec(help) ?? [];
  const options = new Set([...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name = ""]) => name));
  return { words, help, usage, options, hasCommands: commandsIn(help).length > 0 };
}

/** Sections of a help that list no commands. */
const OTHER_SECTIONS: ReadonlySet<string> = new Set(["Options", "Arguments", "Examples"]);

/** The commands that a help lists, in one section or in groups. */
function commandsIn(help: string): readonly string[] {
  return [...help.matchAll(/^([A-Z][a-z ]*):\n((?: {2}.*\n?)+)/gm)]
    .filter(([, heading = ""]) => !OTHER_SECTIONS.has(heading))
    .flatMap(([, , list = ""]) => [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)])
    .map(([, name = ""]) => name)
    .filter((name) => name !== OWN_HELP);
}

/** Names of the arguments that a command cannot do without. */
export function neededArguments({ usage }: WalkedCommand): readonly string[] {
  return [...usage.matchAll(/<([^>]+?)(?:\.\.\.)?>/g)].map(([, name = ""]) => name);
}
