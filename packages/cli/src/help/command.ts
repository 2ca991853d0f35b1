import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import { CommandFailure, EXIT_CODES, EXIT_MEANINGS, type Exit, type Outcome } from "../frame/exit-code.ts";
import type { Terminal } from "../frame/terminal.ts";

const OUTCOMES = Object.keys(EXIT_CODES) as Outcome[];

/** `svc-cli help`: the help of a command, or of the exit codes that all commands share. */
export function helpCommand(terminal: Terminal, exit: Exit): Command {
  const help = new Command("help");
  return help
    .description("show the help of a command, or of the exit codes")
    .argument("[words...]", "the words of a command, or `exit-codes`")
    .addHelpText("before", examples("svc-cli help exit-codes", "svc-cli help compliance audit-verify"))
    .action((words: readonly string[]) => {
      if (words[0] === "exit-codes" && words.length === 1) terminal.writeOut(renderExitCodes());
      else findCommand(help.parent, words).outputHelp();
      exit("ok");
    });
}

/** @throws CommandFailure `usage` */
function findCommand(root: Command | null, words: readonly string[]): Command {
  if (root === null) throw new Error("help stands below the program");
  let found = root;
  for (const word of words) {
    const next = found.commands.find((command) => command.name() === word);
    if (next === undefined)
      throw new CommandFailure("usage", `no command ${word}. See ${root.name()} --help for all of them`);
    found = next;
  }
  return found;
}

function renderExitCodes(): string {
  const lines = OUTCOMES.map(
    (outcome) => `${String(EXIT_CODES[outcome]).padStart(3)}  ${EXIT_MEANINGS[outcome]}\n`,
  );
  return `Exit codes of every command, whatever the form of its result:\n${lines.join("")}`;
}
