import { nearestName } from "@svc/text/nearest-name";
import type { Command } from "commander";

/**
 * The words of the command that somebody meant, anywhere below `root`. A name that several commands have,
 * such as `list`, counts only directly below it. Null: none is near.
 */
export function nearestCommand(word: string, root: Command): string | null {
  const own = root.commands.map((command) => command.name());
  const beside = nearestName(word, own);
  if (beside !== null) return beside;
  const below = commandsBelow(root);
  const name = nearestName(word, [...new Set(below.map((command) => command.name()))]);
  const named = below.filter((command) => command.name() === name);
  const [only] = named;
  return only === undefined || named.length > 1 ? null : wordsFrom(root, only).join(" ");
}

function commandsBelow({ commands }: Command): readonly Command[] {
  return commands.flatMap((command) => [command, ...commandsBelow(command)]);
}

function wordsFrom(root: Command, command: Command): readonly string[] {
  const { parent } = command;
  return parent === null || parent === root ? [command.name()] : [...wordsFrom(root, parent), command.name()];
}
