import type { ShellWord } from "./shell-word.ts";

/**
 * What every path that `find` finds begins with, as far as it names where it starts.
 * @returns null when a path may begin with a dash.
 */
export function beginOfPaths(words: readonly ShellWord[]): string | null {
  const first = words.findIndex(({ text }) => !/^-[HLP]$/.test(text));
  const paths = words.slice(Math.max(first, 0));
  const end = paths.findIndex(({ text }) => /^[-(!,)]/.test(text));
  const starts = end === -1 ? paths : paths.slice(0, end);
  if (starts.length === 0 || starts.some(({ text, isOpen }) => isOpen || text === "")) return null;
  const begins = new Set(starts.map(({ text }) => text.charAt(0)));
  const [begin = null] = begins;
  return begins.size === 1 ? begin : null;
}
