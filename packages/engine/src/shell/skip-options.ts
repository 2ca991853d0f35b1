import { literalWord, type ShellWord } from "./shell-word.ts";
import type { Wrapper } from "./wrapper-table.ts";

export interface SkippedOptions {
  readonly at: number;
  /** The option of a wrapper that then runs nothing. */
  readonly isSilent: boolean;
  /** What `xargs -I` replaces in the words of its command. */
  readonly replace: string | null;
  /** Folders that its options change to. */
  readonly folders: readonly ShellWord[];
  /** Variables that its options take away. */
  readonly variables: readonly string[];
}

/** @returns null for an option that is not listed. */
export function skipOptions(words: readonly ShellWord[], wrapper: Wrapper): SkippedOptions | null {
  let replace: string | null = null;
  let isSilent = false;
  const folders: ShellWord[] = [];
  const variables: string[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const { text = "", mayBeOption = false, isOpen = false } = words[at] ?? {};
    if (mayBeOption) return null;
    if (!text.startsWith("-")) break;
    if (isOpen) return null;
    if (text === "--") return { at: at + 1, isSilent, replace, folders, variables };
    if (wrapper.silent.includes(text)) isSilent = true;
    else if (wrapper.flags.includes(text)) continue;
    else if (wrapper.attached.some((option) => hasValue(text, option))) replace = replacedBy(text) ?? replace;
    else {
      const valued = wrapper.valued.find((option) => hasValue(text, option));
      if (valued === undefined) return null;
      const isAttached = text !== valued;
      const value = isAttached ? literalWord(text.slice(valued.length).replace(/^=/, "")) : words[at + 1];
      if (value === undefined || value.mayBeOption || value.isOpen) return null;
      if (valued === "-I") replace = value.text;
      if (wrapper.folders.includes(valued)) folders.push(value);
      if (wrapper.variables.includes(valued)) variables.push(value.text);
      if (!isAttached) at += 1;
    }
  }
  return { at, isSilent, replace, folders, variables };
}

function hasValue(text: string, option: string): boolean {
  return option.startsWith("--") ? text === option || text.startsWith(`${option}=`) : text.startsWith(option);
}

/** `-i` and `--replace` of xargs replace `{}` unless they name another mark. */
function replacedBy(text: string): string | null {
  const mark = /^(?:-i|--replace=?)(.*)$/s.exec(text)?.[1];
  return mark === "" ? "{}" : (mark ?? null);
}
