import { shellWord } from "./shell-word.ts";

/**
 * A command about something that has a name, to be run in a shell.
 * @param options each after a blank. A name that begins with a dash stands behind them and `--`: it would be
 * read as an option.
 */
export function commandText(command: string, name: string, options = ""): string {
  return name.startsWith("-")
    ? `${command}${options} -- ${shellWord(name)}`
    : `${command} ${shellWord(name)}${options}`;
}
