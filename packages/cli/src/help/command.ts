import { nearestName } from "@svc/text/nearest-name";
import { Command } from "commander";
import { examples } from "../frame/examples.ts";
import { CommandFailure, EXIT_CODES, EXIT_MEANINGS, type Exit, type Outcome } from "../frame/exit-code.ts";
import { pathOf } from "../frame/explain-usage.ts";
import { nearestCommand } from "../frame/nearest-command.ts";
import type { Terminal } from "../frame/terminal.ts";
import { renderManPage } from "./render-man-page.ts";

const OUTCOMES = Object.keys(EXIT_CODES) as Outcome[];

/** `svc-cli help`: the help of a command, of the exit codes that all commands share, or all of it for man. */
export function helpCommand(terminal: Terminal, exit: Exit): Command {
  const help = new Command("help");
  return help
    .description("show the help of a command, of the exit codes, or the manual page")
    .argument("[words...]", "the words of a command, `exit-codes`, or `man-page`, which prints roff")
    .addHelpText(
      "before",
      examples(
        "svc-cli help exit-codes",
        "svc-cli help compliance audit-verify",
        "svc-cli help man-page > ~/.local/share/man/man1/svc-cli.1",
      ),
    )
    .action((words: readonly string[]) => {
      const [topic] = words.length === 1 ? words : [];
      if (topic === "exit-codes") terminal.writeOut(renderExitCodes());
      else if (topic === "man-page") terminal.writeOut(renderManPage(programOf(help)));
      else findCommand(programOf(help), words).outputHelp();
      exit("ok");
    });
}

function programOf({ parent }: Command): Command {
  if (parent === null) throw new Error("help stands below the program");
  return parent;
}

/** @throws CommandFailure `usage` */
function findCommand(root: Command, words: readonly string[]): Command {
  let found = root;
  for (const word of words) {
    const next = found.commands.find((command) => command.name() === word);
    if (next === undefined) throw noCommand(word, found, found === root ? TOPICS : []);
    found = next;
  }
  return found;
}

/** What `help` knows beside commands. */
const TOPICS = ["exit-codes", "man-page"];

function noCommand(word: string, above: Command, topics: readonly string[]): CommandFailure {
  const nearest = nearestName(word, topics) ?? nearestCommand(word, above);
  const hint = nearest === null ? "" : `, did you mean ${nearest}?`;
  const end = hint === "" ? "." : "";
  return new CommandFailure(
    "usage",
    `no command ${word}${hint}${end} See ${pathOf(above)} --help for all of them`,
  );
}

function renderExitCodes(): string {
  const lines = OUTCOMES.map(
    (outcome) => `${String(EXIT_CODES[outcome]).padStart(3)}  ${EXIT_MEANINGS[outcome]}\n`,
  );
  return `Exit codes of every command, whatever the form of its result:\n${lines.join("")}`;
}
