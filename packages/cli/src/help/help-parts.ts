import type { Command } from "commander";

interface HelpParts {
  /** With its heading; empty when the help has none. */
  readonly examples: string;
  /** What stands behind arguments, options and commands. */
  readonly notes: string;
}

/** What a command adds to the help that is made of its definition. */
export function helpParts(command: Command): HelpParts {
  const whole = helpOf(command);
  const made = command.helpInformation();
  const at = whole.indexOf(made);
  if (at === -1) throw new Error(`the help of ${command.name()} does not hold what is made for it`);
  return { examples: whole.slice(0, at), notes: whole.slice(at + made.length) };
}

function helpOf(command: Command): string {
  let help = "";
  const before = command.configureOutput();
  command.configureOutput({ ...before, writeOut: (text) => (help += text) });
  command.outputHelp();
  command.configureOutput(before);
  return help;
}
