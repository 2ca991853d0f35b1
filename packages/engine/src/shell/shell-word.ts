/** One word of a command line, as far as it is known before anything runs. */
export interface ShellWord {
  /** Without its quotes. Of an open word only what stands before its first expansion. */
  readonly text: string;
  /** Whether an expansion decides the rest: a variable, a glob or a home directory. */
  readonly isOpen: boolean;
  /** Whether an open word may become an option, or several words of which one is an option. */
  readonly mayBeOption: boolean;
  /** How many characters at the beginning stand outside quotes: only these make keywords and assignments. */
  readonly bareLength: number;
}

/** A word that no shell reads: an element of a list of arguments. */
export function literalWord(text: string): ShellWord {
  return { text, isOpen: false, mayBeOption: false, bareLength: 0 };
}

export function isBare({ text, isOpen, bareLength }: ShellWord): boolean {
  return !isOpen && bareLength === text.length;
}
