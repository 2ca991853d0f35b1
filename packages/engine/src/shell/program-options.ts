import { GIT_OPTIONS } from "./git-options.ts";

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
  /** Whether a letter may mean a long option that the table does not pair with it. */
  readonly isPartial: boolean;
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
    isPartial: false,
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

/** The options of a program, of git those of a subcommand; null for a program without a table. */
export function programOptions(name: string, subcommand: string | undefined): ProgramOptions | null {
  const known = PROGRAM_OPTIONS.get(name) ?? null;
  const letters = name === "git" ? GIT_OPTIONS.get(subcommand ?? "") : undefined;
  if (known === null || letters === undefined) return known;
  const parts = letters.map((part) => part.split(":", 2) as [string, string]);
  const isValued = (letter: string): boolean => letter.length > 1;
  return {
    ...known,
    isPartial: false,
    pairs: parts.flatMap(([letter, long]) => (long === "" ? [] : [[`--${long}`, letter.charAt(0)] as const])),
    letters: parts.flatMap(([letter]) => (isValued(letter) ? [] : [letter])).join(""),
    valuedLetters: parts.flatMap(([letter]) => (isValued(letter) ? [letter.charAt(0)] : [])).join(""),
  };
}

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
      isPartial: true,
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
