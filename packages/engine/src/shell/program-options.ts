/** What is known of the options of one program. */
export interface ProgramOptions {
  /** Long names and the letters that mean the same. */
  readonly pairs: readonly (readonly [long: string, letter: string])[];
  /** Letters without a value that have no long name. */
  readonly letters: string;
  /** Letters whose value is the rest of the word or the next word. */
  readonly valuedLetters: string;
  /** Long names whose value may be the next word. */
  readonly valuedNames: readonly string[];
  /** Long names without a value and without a letter. */
  readonly names: readonly string[];
  /**
   * What may stand before the subcommand; null for a program without subcommands. After the subcommand it is
   * not known which options have a value.
   */
  readonly before: { readonly flags: readonly string[]; readonly valued: readonly string[] } | null;
  /** Words of a subcommand that together may mean one of its options. */
  readonly implied: readonly ImpliedOption[];
}

interface ImpliedOption {
  readonly subcommand: string;
  readonly option: string;
  readonly by: readonly RegExp[];
}

function options(parts: Partial<ProgramOptions>): ProgramOptions {
  return {
    pairs: [],
    letters: "",
    valuedLetters: "",
    valuedNames: [],
    names: [],
    before: null,
    implied: [],
    ...parts,
  };
}

const COPYING = options({
  pairs: [
    ["--force", "f"],
    ["--interactive", "i"],
    ["--no-clobber", "n"],
    ["--recursive", "r"],
    ["--recursive", "R"],
    ["--verbose", "v"],
    ["--archive", "a"],
    ["--update", "u"],
  ],
  valuedLetters: "St",
  valuedNames: ["--suffix", "--target-directory"],
});

const MODES = options({
  pairs: [
    ["--recursive", "R"],
    ["--verbose", "v"],
    ["--changes", "c"],
    ["--silent", "f"],
  ],
  names: ["--preserve-root", "--no-preserve-root"],
  valuedNames: ["--reference"],
});

/** Programs whose options are known. Of other programs a long and a short option are two options. */
export const PROGRAM_OPTIONS: ReadonlyMap<string, ProgramOptions> = new Map([
  [
    "rm",
    options({
      pairs: [
        ["--recursive", "r"],
        ["--recursive", "R"],
        ["--force", "f"],
        ["--dir", "d"],
        ["--verbose", "v"],
      ],
      letters: "iIPWx",
      names: ["--no-preserve-root", "--preserve-root", "--one-file-system"],
    }),
  ],
  ["cp", COPYING],
  ["mv", COPYING],
  ["chmod", MODES],
  ["chown", MODES],
  ["chgrp", MODES],
  [
    "git",
    options({
      pairs: [
        ["--force", "f"],
        ["--delete", "d"],
        ["--verbose", "v"],
        ["--quiet", "q"],
        ["--all", "a"],
        ["--dry-run", "n"],
      ],
      letters: "D",
      before: {
        flags: ["-p", "-P", "--paginate", "--no-pager", "--no-replace-objects", "--no-optional-locks"],
        valued: ["-C", "--git-dir", "--work-tree", "--namespace"],
      },
      implied: [
        { subcommand: "push", option: "--force", by: [/^(?:\+|--m)/] },
        { subcommand: "push", option: "-f", by: [/^(?:\+|--m)/] },
        { subcommand: "push", option: "--delete", by: [/^(?:\+?:|--m|--pru)/] },
        { subcommand: "push", option: "-d", by: [/^(?:\+?:|--m|--pru)/] },
        { subcommand: "branch", option: "-D", by: [/^(?:-[a-z]*d|--de)/, /^(?:-[a-z]*f|--fo)/] },
      ],
    }),
  ],
  [
    "kubectl",
    options({
      pairs: [
        ["--all-namespaces", "A"],
        ["--namespace", "n"],
        ["--filename", "f"],
        ["--output", "o"],
        ["--selector", "l"],
        ["--recursive", "R"],
        ["--watch", "w"],
      ],
      before: {
        flags: [],
        valued: [
          "-n",
          "-s",
          "--namespace",
          "--context",
          "--cluster",
          "--user",
          "--server",
          "--request-timeout",
        ],
      },
    }),
  ],
  [
    "npm",
    options({
      pairs: [
        ["--global", "g"],
        ["--silent", "s"],
        ["--save-dev", "D"],
      ],
      before: { flags: ["-g", "-s", "--global", "--silent"], valued: ["-w", "--workspace"] },
    }),
  ],
]);
