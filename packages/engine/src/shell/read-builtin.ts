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
  const isPlainPrintf =
    name === "printf" && words[0]?.mayBeOption !== true && !words[0]?.text.startsWith("-");
  if (DECLARING.has(name) && words.some(({ text }) => /^[-+][A-Za-z]*[iEF]/.test(text)))
    found.doubt("a variable whose values the shell evaluates");
  if (!ASSIGNING_BUILTINS.has(name)) return;
  // zsh evaluates a number that printf is to print.
  if (isPlainPrintf && words.slice(1).some(({ text }) => /[`]|\$\(/.test(text)))
    found.doubt("arguments of printf that the shell may evaluate");
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

/** The options of `set` that change neither what is read nor what it means. */
function isPlainSetting({ text, isOpen }: ShellWord): boolean {
  return !isOpen && /^(?:[-+][eufvo]+|errexit|nounset|pipefail|noglob|verbose)$/.test(text);
}
