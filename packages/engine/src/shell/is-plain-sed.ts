import type { ShellWord } from "./shell-word.ts";

const PLACE = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)`;
const SUBSTITUTION = String.raw`s([/|#,@:%])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpI\d]*`;
/** One command of a script that neither runs programs nor writes files. */
const COMMAND = String.raw`\s*(?:${PLACE}(?:,${PLACE})?)?\s*!?\s*(?:[pdqDPhHgGxnN=]|${SUBSTITUTION})?\s*`;

const SCRIPT = new RegExp(`^${COMMAND}$`);
const FLAG = /^(?:-[nErsuz]+|-i[^e]*|--(?:quiet|silent|regexp-extended|null-data|in-place(?:=.*)?))$/;

/** Whether a call of sed runs no other program, as its `e` command and the flag `e` of `s` do. */
export function isPlainSed(words: readonly ShellWord[]): boolean {
  let hasScript = false;
  for (let at = 0; at < words.length; at += 1) {
    const { text = "", isOpen = false, mayBeOption = false } = words[at] ?? {};
    if (mayBeOption) return false;
    if (text.startsWith("-") && text.length > 1) {
      if (FLAG.test(text)) continue;
      if (text !== "-e" && text !== "--expression") return false;
      at += 1;
      hasScript = true;
      if (!isPlainScript(words[at])) return false;
    } else if (!hasScript) {
      hasScript = true;
      if (isOpen || !isPlainScript(words[at])) return false;
    }
  }
  return hasScript;
}

function isPlainScript(word: ShellWord | undefined): boolean {
  if (word === undefined || word.isOpen) return false;
  return word.text.split(/[;\n]/).every((command) => SCRIPT.test(command));
}
