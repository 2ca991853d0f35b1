import { commonName } from "./common-name.ts";
import type { Fit } from "./fit.ts";
import type { NamedCommand } from "./named-commands.ts";
import { OptionReader, type OptionReading } from "./option-reader.ts";
import { PROGRAM_OPTIONS, type ProgramOptions, programOptions } from "./program-options.ts";
import { isDefaultSubcommand, mayBeSubcommand } from "./same-subcommand.ts";
import type { ShellWord } from "./shell-word.ts";
import { isSystemProgram } from "./system-program.ts";

/** A beginning of a command, as a rule names it: a program, words in their order, and options anywhere. */
export interface CommandPattern {
  /** As written. */
  readonly text: string;
  readonly program: string;
  readonly name: string;
  readonly operands: readonly string[];
  readonly options: readonly string[];
}

/** @param words at least one, none of them empty. */
export function commandPattern(words: readonly string[]): CommandPattern {
  const [program = "", ...rest] = words;
  const name = program.slice(program.lastIndexOf("/") + 1);
  const operands = rest.filter((word) => !isOption(word));
  const known = programOptions(name, operands[0]);
  return {
    text: words.join(" "),
    program,
    name,
    operands,
    options: rest.filter(isOption).flatMap((word) => separated(word, known)),
  };
}

export function isOption(word: string): boolean {
  return word.startsWith("-") && word.length > 1;
}

/** Of a program whose letters are known, `-rf` is `-r` and `-f`. */
function separated(word: string, known: ProgramOptions | null): readonly string[] {
  if (known === null || !/^-[A-Za-z]{2,}$/.test(word)) return [word];
  const letters = word.slice(1).split("");
  return letters.some((letter) => known.valuedLetters.includes(letter))
    ? [word]
    : letters.map((letter) => `-${letter}`);
}

/** Whether the program of a command is the one of the pattern. File systems may ignore case. */
export function fitProgram({ program, name }: NamedCommand, pattern: CommandPattern): Fit {
  if (program === pattern.program) return "yes";
  const found = commonName(name);
  const wanted = pattern.name.toLowerCase();
  // GNU programs have a g before their names where others have the names.
  if (found !== wanted && found !== `g${wanted}`) return "no";
  const isPlain = name === pattern.name && pattern.program === pattern.name;
  return isPlain && isSystemProgram(program) ? "yes" : "unsure";
}

/**
 * Which options a command may have that its pattern does not name. `any`: all. `none`: no others.
 * `unless_named`: all when the pattern names no option, else no others.
 */
export type OtherOptions = "any" | "unless_named" | "none";

/** Whether a command begins as the pattern says. */
export function fitCommand(command: NamedCommand, pattern: CommandPattern, others: OtherOptions): Fit {
  // `git-push` is the program that `git push` runs.
  if (command.name.toLowerCase() === `${pattern.name}-${pattern.operands[0] ?? ""}`) return "unsure";
  const program = fitProgram(command, pattern);
  if (program === "no") return "no";
  const read = new OptionReader(programOptions(pattern.name, pattern.operands[0]));
  const operands = fitOperands(command, pattern, read);
  const options = operands === "no" ? "no" : fitOptions(command, pattern, read.result(), others);
  const isImplied = options === "no" && operands !== "no" && impliesOptions(command, pattern);
  return weakest([program, operands, isImplied ? "unsure" : options]);
}

function weakest(fits: readonly Fit[]): Fit {
  if (fits.includes("no")) return "no";
  return fits.includes("unsure") ? "unsure" : "yes";
}

/** Whether other words mean what an option of the pattern means: `git push origin +main` is a forced push. */
function impliesOptions({ words }: NamedCommand, { name, operands, options }: CommandPattern): boolean {
  const all = PROGRAM_OPTIONS.get(name)?.implied ?? [];
  return all.some(
    ({ subcommand, option, by }) =>
      subcommand === operands[0] &&
      options.includes(option) &&
      by.every((word) => words.some(({ text }) => word.test(text))),
  );
}

/** Reads all words, and compares those that are not options with the operands of the pattern. */
function fitOperands(
  { words, isOpenEnded }: NamedCommand,
  { name, operands }: CommandPattern,
  read: OptionReader,
): Fit {
  let next = 0;
  let isUnsure = false;
  for (const word of words) {
    const role = read.roleOf(word);
    const wanted = operands[next];
    if (role === "option" || role === "value" || wanted === undefined) continue;
    if (role === "operand" && !word.isOpen && !isUnsure) {
      const isFirst = next === 0;
      if (word.text === wanted) next += 1;
      else if (isFirst && mayBeSubcommand(name, word.text, wanted)) isUnsure = true;
      else return "no";
    } else isUnsure = true;
  }
  if (next === operands.length) return "yes";
  const isDefault = next === 0 && operands.length === 1 && isDefaultSubcommand(name, operands[0]);
  return isUnsure || isOpenEnded || isDefault ? "unsure" : "no";
}

function fitOptions(
  { isOpenEnded }: NamedCommand,
  { options }: CommandPattern,
  read: OptionReading,
  others: OtherOptions,
): Fit {
  const fits = options.map((wanted) => read.has(wanted));
  const has = fits.includes("no") && (read.mayHaveMore || isOpenEnded) ? "unsure" : weakest(fits);
  const mayHaveOthers = others === "any" || (others === "unless_named" && options.length === 0);
  if (mayHaveOthers || has === "no") return has;
  return read.hasOnly(options) && !read.mayHaveMore && !isOpenEnded ? has : "unsure";
}

export function wordsOf({ program, words }: NamedCommand): string {
  return [program, ...words.map(shown)].join(" ");
}

function shown({ text, isOpen }: ShellWord): string {
  return isOpen ? `${text}...` : text;
}
