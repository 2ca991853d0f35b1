import { hideUser } from "@svc/process/parsers";
import { printable } from "@svc/process/printable";
import { nearestName } from "@svc/text/nearest-name";
import type { Command } from "commander";
import { nearestCommand } from "./nearest-command.ts";

/** Commander's message about wrong usage in one line, with the nearest name and the help of the command. */
export function explainUsage(message: string, command: Command): string {
  const line = withSuggestion(message, command)
    .trim()
    .replace(/\.?\n\(Did you mean (.+)\?\)$/, ", did you mean $1?")
    .replaceAll("\n", " ");
  const mark = /[.?]$/.test(line) ? "" : ".";
  // Commander repeats what it was given between quotes.
  const shown = shownText(line.replace(/(?<=')[^']*@[^']*(?=')/g, hideUser));
  return `${shown}${mark} See ${pathOf(command)} --help\n`;
}

/** Commander suggests neither values nor commands below others. */
function withSuggestion(message: string, command: Command): string {
  const [, value, choices] =
    /(?:argument|value) '(.*)' is invalid.*Allowed choices are (.*)\.$/s.exec(message.trim()) ?? [];
  const [, word] = /unknown command '(.*)'\n?$/.exec(message) ?? [];
  const nearest =
    value === undefined
      ? nearestCommand(word ?? "", command)
      : nearestName(value, (choices ?? "").split(", "));
  return nearest === null ? message : `${message.trim()}\n(Did you mean ${nearest}?)`;
}

/** The words that name a command: `svc-cli policy test`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

/** A message on a line of its own, as every command writes it. */
export function errorLine(message: string): string {
  return `error: ${shownText(message)}\n`;
}

/** The text without control characters, and without the user and the password of an address in it. */
export function shownText(text: string): string {
  return printable(text).replace(/(?<=:\/\/)[^\s/"']*@/g, "***@");
}
