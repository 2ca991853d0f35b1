import type { ShellWord } from "./shell-word.ts";
import { ASSIGNING_BUILTINS, SPECIAL_VARIABLE, UNREAD_COMMANDS } from "./wrapper-table.ts";

/** A word that sets a variable, with its name. */
export const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;

/** Where a builtin's effects on later commands go. */
export interface BuiltinFindings {
  /** @param word with the value */
  readonly assign: (name: string, word?: ShellWord) => void;
  readonly doubt: (because: string) => void;
}

/** Options of builtins that name a variable. The name may stand in the same word of `read`. */
const NAMES_VARIABLE = /^-[A-Za-z]*n/;
const READ_NAMES_VARIABLE = /^-[A-Za-z]*(?:n|a.)/;

/** Builtins that give variables a type. */
const DECLARING: ReadonlySet<string> = new Set(["declare", "typeset", "local", "export", "readonly"]);

/** Reads what a builtin of the shell sets, runs or evaluates; nothing for other programs. */
export function readBuiltin(name: string, words: readonly ShellWord[], found: BuiltinFindings): void {
  if (name === "jobs" && words.some(({ text }) => /^-.*x/.test(text))) found.doubt("the command jobs -x");
  if (UNREAD_COMMANDS.has(name)) found.doubt(`the command ${name}`);
  if (name === "set" && !words.every(isPlainSetting)) found.doubt("settings of the shell");
  if (DECLARING.has(name) && words.some(({ text }) => /^[-+][A-Za-z]*[iEF]/.test(text)))
    found.doubt("a variable whose values the shell evaluates");
  if (evaluatesNumbers(name, words)) found.doubt(`a word that ${name} may take for arithmetic`);
  if (!ASSIGNING_BUILTINS.has(name)) return;
  const isPlainPrintf =
    name === "printf" && words[0]?.mayBeOption !== true && !words[0]?.text.startsWith("-");
  if (isPlainPrintf) return;
  const namesVariable = name === "read" ? READ_NAMES_VARIABLE : NAMES_VARIABLE;
  if (name === "printf" || words.some(({ text }) => namesVariable.test(text)))
    found.doubt(`an option of ${name} that names a variable`);
  for (const word of words) {
    const assigned = ASSIGNMENT.exec(word.text)?.[1];
    if (assigned !== undefined && name !== "test" && name !== "[") found.assign(assigned, word);
    else if (word.isOpen || /[$`]|.\[/.test(word.text) || SPECIAL_VARIABLE.test(word.text))
      found.doubt(`arguments of ${name} that the shell evaluates`);
    else if (name === "let") found.doubt("arithmetic");
    else if (/^-[A-Za-z]*C/.test(word.text)) found.doubt("a callback");
  }
}

const isNumber = ({ text, isOpen }: ShellWord): boolean => !isOpen && /^[-+]?[0-9]*$/.test(text);

/** A format of `printf` with nothing but texts. */
const PRINTS_TEXTS = /^(?:[^%]|%%|%-?[0-9]*(?:\.[0-9]+)?[sbq])*$/;

/**
 * Whether a shell may evaluate a word that is not a number: zsh looks up the names in it, and runs the
 * substitutions in their values. Other shells do so with both sides of the comparisons of `test`.
 */
function evaluatesNumbers(name: string, words: readonly ShellWord[]): boolean {
  const [first, ...rest] = words;
  switch (name) {
    case "return":
    case "exit":
    case "bye":
    case "logout":
    case "shift":
    case "break":
    case "continue":
      return !words.every((word) => isNumber(word) || word.text === "-p");
    case "test":
    case "[":
      return words.some(({ text }, at) => {
        if (!/^-(?:eq|ne|[lg][te]|t)$/.test(text)) return false;
        const operands = text === "-t" ? [words[at + 1]] : [words[at - 1], words[at + 1]];
        return !operands.every((word) => word === undefined || isNumber(word));
      });
    case "printf":
      return first?.isOpen === true || (!PRINTS_TEXTS.test(first?.text ?? "") && !rest.every(isNumber));
    case "print":
      return words.some(({ text, mayBeOption }) => mayBeOption || /^-[A-Za-z]*f/.test(text));
    default:
      return false;
  }
}

/** The options of `set` that change neither what is read nor what it means. */
function isPlainSetting({ text, isOpen }: ShellWord): boolean {
  return !isOpen && /^(?:[-+][eufvo]+|errexit|nounset|pipefail|noglob|verbose)$/.test(text);
}
