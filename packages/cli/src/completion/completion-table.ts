import type { Command, Option } from "commander";

/** What can follow the words of one command. */
export interface CompletionRow {
  /** The words after the program; empty for the program itself. */
  readonly path: readonly string[];
  readonly commands: readonly CompletionWord[];
  /** Values of its first argument. */
  readonly values: CompletionValues;
  readonly options: readonly CompletionOption[];
}

export interface CompletionWord {
  readonly word: string;
  readonly meaning: string;
}

export interface CompletionOption extends CompletionWord {
  /** The short form, `-o`; null: there is none. */
  readonly short: string | null;
  readonly takesValue: boolean;
  readonly values: CompletionValues;
}

/** Values that something takes. None: any, such as a file name. `contexts`: what context list shows. */
export type CompletionValues = readonly string[] | "contexts";

/** Prints the names of contexts, a line each. Such a name has no blanks and no characters of a shell. */
export const PRINT_CONTEXTS =
  "command svc-cli context list -o ndjson 2>/dev/null | " + `sed -n 's/.*"name":"\\([^"]*\\)".*/\\1/p'`;

/** Every command with what can follow it, from the commands themselves. */
export function completionTable(command: Command, path: readonly string[] = []): readonly CompletionRow[] {
  const row: CompletionRow = {
    path,
    commands: command.commands.map((child) => ({ word: child.name(), meaning: child.description() })),
    values: placeOf(path) === CONTEXT_USE ? "contexts" : (command.registeredArguments[0]?.argChoices ?? []),
    options: [...command.options.map(optionOf), HELP],
  };
  return [row, ...command.commands.flatMap((child) => completionTable(child, [...path, child.name()]))];
}

const CONTEXT_USE = "/context/use";

const HELP: CompletionOption = {
  word: "--help",
  short: "-h",
  meaning: "show the help",
  takesValue: false,
  values: [],
};

function optionOf(option: Option): CompletionOption {
  return {
    word: option.long ?? option.flags,
    short: option.short ?? null,
    meaning: option.description,
    takesValue: option.required || option.optional,
    values: option.long === "--context" ? "contexts" : (option.argChoices ?? []),
  };
}

/** The place of a command in a script: its words, each behind a slash. */
export function placeOf(path: readonly string[]): string {
  return path.map((word) => `/${word}`).join("");
}

/** The place of every command, without the program itself. */
export function placesOf(rows: readonly CompletionRow[]): readonly string[] {
  return rows.filter(({ path }) => path.length > 0).map(({ path }) => placeOf(path));
}
