import type { ShellWord } from "./shell-word.ts";

/**
 * The text after `-c`. @returns null when the shell reads something else, or its options are not known. An
 * interactive shell (`-i`) may run comments and reads history.
 */
export function commandLineOf(words: readonly ShellWord[]): string | null {
  let hasCommand = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || word.isOpen) return null;
    const { text } = word;
    if (text === "-o" && /^(?:errexit|nounset|pipefail)$/.test(words[at + 1]?.text ?? "")) at += 1;
    else if (/^-[ceuxvfl]+$/.test(text)) hasCommand ||= text.includes("c");
    else if (!/^--(?:login|norc|noprofile|posix)$/.test(text)) {
      const isText = hasCommand && (text === "--" || !/^[-+]/.test(text));
      const line = text === "--" ? words[at + 1] : word;
      return isText && line !== undefined && !line.isOpen ? line.text : null;
    }
  }
  return null;
}
