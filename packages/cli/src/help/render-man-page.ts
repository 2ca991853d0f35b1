import { renderVariables } from "@svc/process/render-help";
import { VERSION } from "@svc/process/version";
import type { Command, Option } from "commander";
import { cliEnvironment } from "../connection/server-options.ts";
import { EXIT_CODES, EXIT_MEANINGS, type Outcome } from "../frame/exit-code.ts";
import { pathOf } from "../frame/explain-usage.ts";
import { helpParts } from "./help-parts.ts";

/** The manual page of the program in roff with the macros of man(7), from the commands themselves. */
export function renderManPage(program: Command): string {
  return [
    // Without a date, so that one version has one page.
    `.TH SVC\\-CLI 1 "" "svc\\-cli ${escaped(VERSION)}" "Svc"`,
    ".SH NAME",
    `svc\\-cli \\- ${text(program.description())}`,
    ".SH SYNOPSIS",
    ".B svc\\-cli",
    text("[options] command"),
    ".SH DESCRIPTION",
    text("Results go to stdout, everything else to stderr. The option -o chooses the form of a result."),
    ...program.options.flatMap((option) => entry(option.flags, about(option))),
    ...literally(helpParts(program).examples),
    ".SH COMMANDS",
    ...commandsBelow(program).flatMap(sectionOf),
    ".SH EXIT STATUS",
    ...(Object.keys(EXIT_CODES) as Outcome[]).flatMap((outcome) => [
      ".TP",
      `.B ${String(EXIT_CODES[outcome])}`,
      text(EXIT_MEANINGS[outcome]),
    ]),
    ".SH ENVIRONMENT",
    // A section begins with a paragraph by itself.
    ...literally(renderVariables(cliEnvironment)).slice(1),
    "",
  ].join("\n");
}

function commandsBelow(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...commandsBelow(child)]);
}

function sectionOf(command: Command): readonly string[] {
  const { examples, notes } = helpParts(command);
  return [
    `.SS ${escaped(pathOf(command))} ${escaped(command.usage())}`.trimEnd(),
    text(command.description()),
    ...command.registeredArguments.flatMap((argument) => entry(argument.name(), argument.description)),
    ...command.options
      .filter(({ hidden }) => !hidden)
      .flatMap((option) => entry(option.flags, about(option))),
    ...literally(notes),
    ...literally(examples),
  ];
}

function about({ description, argChoices, defaultValue }: Option): string {
  const notes = [
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(", ")}`]),
    ...(typeof defaultValue === "string" || typeof defaultValue === "number"
      ? [`default: ${String(defaultValue)}`]
      : []),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}

function entry(name: string, meaning: string): readonly string[] {
  return [".TP", `.B ${escaped(name)}`, text(meaning === "" ? name : meaning)];
}

/** A paragraph whose lines stay as they are. */
function literally(lines: string): readonly string[] {
  const body = lines.trim();
  return body === "" ? [] : [".PP", ".nf", ...body.split("\n").map(text), ".fi"];
}

/** A line that begins with a dot or an apostrophe would be a request to roff. */
function text(line: string): string {
  const safe = escaped(line);
  return /^[.']/.test(safe) ? `\\&${safe}` : safe;
}

function escaped(line: string): string {
  return line.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("\t", "    ");
}
