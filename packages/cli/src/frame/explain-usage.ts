import type { Command } from "commander";

/** Commander's message about wrong usage in one line, with the nearest name and the help of the command. */
export function explainUsage(message: string, command: Command): string {
  const line = message
    .trim()
    .replace(/\.?\n\(Did you mean (.+)\?\)$/, ", did you mean $1?")
    .replaceAll("\n", " ");
  const mark = /[.?]$/.test(line) ? "" : ".";
  return `${line}${mark} See ${pathOf(command)} --help\n`;
}

/** The words that name a command: `svc-cli policy test`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}
