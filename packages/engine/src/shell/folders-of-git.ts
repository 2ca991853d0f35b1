import type { ShellWord } from "./shell-word.ts";

/** The folders that git changes to before its subcommand, whose settings may run programs. */
export function foldersOfGit(words: readonly ShellWord[]): readonly ShellWord[] {
  const option = /^(?:-C$|--(?:git-dir|work-tree)(?:=|$))/;
  return words.flatMap((word, at) => {
    if (!option.test(word.text)) return [];
    return word.text.includes("=") ? [word] : (words[at + 1] ?? []);
  });
}
