import type { Fit } from "./fit.ts";
import type { ProgramOptions } from "./program-options.ts";
import type { ShellWord } from "./shell-word.ts";

/**
 * What a word of a command is. `unsure`: it follows an option of which it may be the value, or what it is
 * is not known before the command runs.
 */
export type Role = "option" | "value" | "operand" | "unsure";

export interface OptionReading {
  /** Whether options may be there that are not known before the command runs. */
  readonly mayHaveMore: boolean;
  has(wanted: string): Fit;
  hasOnly(wanted: readonly string[]): boolean;
}

/** Tells the words of one command apart, in their order. */
export class OptionReader {
  readonly #known: ProgramOptions | null;
  /** Each option once, without its value. */
  readonly #given = new Set<string>();
  /** Words of letters of which it is not known how many options they are. */
  readonly #clusters = new Set<string>();
  #mayHaveMore = false;
  #isEnded = false;
  #next: Next = null;
  #isUnsure = false;
  #hasOperand = false;

  /** @param known null for a program whose options are not known. */
  constructor(known: ProgramOptions | null) {
    this.#known = known;
  }

  roleOf(word: ShellWord): Role {
    const { text, isOpen, mayBeOption } = word;
    const expected = this.#next;
    this.#next = null;
    if (mayBeOption) {
      this.#mayHaveMore = true;
      this.#isUnsure = true;
      return "unsure";
    }
    const looksLikeOption = text.startsWith("-") && text.length > 1;
    if (expected === "value" && !isOpen && !looksLikeOption) return "value";
    // The table may be wrong about the version that runs, so a value that looks like an option counts as one.
    if (expected !== null && looksLikeOption) this.#isUnsure = true;
    if (!this.#isEnded && text === "--") {
      // Subcommands and programs without a table may read options after it.
      if (this.#known !== null && this.#known.before === null) this.#isEnded = true;
      return "option";
    }
    if (!this.#isEnded && looksLikeOption) {
      this.#readOption(text);
      return "option";
    }
    if (expected === "unsure" || isOpen) this.#isUnsure = true;
    this.#hasOperand = true;
    return this.#isUnsure ? "unsure" : "operand";
  }

  result(): OptionReading {
    const given = this.#given;
    return {
      mayHaveMore: this.#mayHaveMore,
      has: (wanted) => this.#fit(wanted),
      hasOnly: (wanted) =>
        this.#clusters.size === 0 &&
        [...given].every((option) => wanted.some((one) => this.#sameOption(one, option))),
    };
  }

  #readOption(text: string): void {
    const known = this.#known;
    if (text.startsWith("--")) this.#given.add(text);
    else this.#readLetters(text);
    if (known === null) this.#next = text.startsWith("--") && text.includes("=") ? null : "unsure";
    else if (known.before === null) this.#next = nextAfter(text, known);
    else this.#next = this.#hasOperand ? afterSubcommand(text) : beforeSubcommand(text, known.before);
  }

  #readLetters(text: string): void {
    const known = this.#known;
    if (known === null) {
      this.#given.add(text);
      if (text.length > 2) this.#clusters.add(text);
      return;
    }
    for (const letter of text.slice(1)) {
      if (known.valuedLetters.includes(letter) || isFlagLetter(letter, known)) this.#given.add(`-${letter}`);
      else {
        // The rest may be more letters, or the value of this one.
        if (text.length === 2) this.#given.add(text);
        else this.#clusters.add(text);
        return;
      }
      if (known.valuedLetters.includes(letter)) return;
    }
  }

  #fit(wanted: string): Fit {
    let fit: Fit = "no";
    for (const option of this.#given) {
      if (this.#sameOption(wanted, option)) return "yes";
      const isAbbreviated = this.#spellings(wanted).some((one) => mayMean(option, one));
      if (isAbbreviated || this.#mayBePair(option, wanted)) fit = "unsure";
    }
    const letters = this.#spellings(wanted).filter((one) => /^-[^-]$/.test(one));
    for (const cluster of this.#clusters)
      if (letters.some((letter) => cluster.includes(letter.charAt(1)))) fit = "unsure";
    return fit;
  }

  /** A letter may mean any long option where the table does not have all pairs. */
  #mayBePair(given: string, wanted: string): boolean {
    return this.#known?.isPartial === true && isLetter(given) !== isLetter(wanted);
  }

  /** Whether a given option is the wanted one, written short or long, with a value or without. */
  #sameOption(wanted: string, given: string): boolean {
    return this.#spellings(wanted).some(
      (one) => given === one || (!one.includes("=") && given.startsWith(`${one}=`)),
    );
  }

  /** `--force` is `-f` for a program whose table says so; `-name` is `--name` for many. */
  #spellings(wanted: string): readonly string[] {
    const pairs = this.#known?.pairs ?? [];
    const long = pairs.find(([name, letter]) => wanted === name || wanted === `-${letter}`)?.[0];
    const same = pairs.flatMap(([name, letter]) => (name === long ? [name, `-${letter}`] : []));
    const bare = wanted.replace(/^--?/, "");
    const doubled = bare.length > 1 && !wanted.includes("=") ? [`-${bare}`, `--${bare}`] : [];
    return [wanted, ...same, ...doubled];
  }
}

function isLetter(option: string): boolean {
  return /^-[^-]$/.test(option);
}

type Next = "value" | "unsure" | null;

function isFlagLetter(letter: string, { letters, pairs }: ProgramOptions): boolean {
  return letters.includes(letter) || pairs.some(([, one]) => one === letter);
}

/** What follows an option of a program without subcommands. */
function nextAfter(text: string, known: ProgramOptions): Next {
  if (text.startsWith("--")) {
    if (text.includes("=")) return null;
    if (known.valuedNames.includes(text)) return "value";
    return known.names.includes(text) || known.pairs.some(([long]) => long === text) ? null : "unsure";
  }
  const letters = text.slice(1).split("");
  const valued = letters.findIndex((letter) => known.valuedLetters.includes(letter));
  const flags = valued === -1 ? letters : letters.slice(0, valued);
  if (!flags.every((letter) => isFlagLetter(letter, known))) return "unsure";
  return valued === letters.length - 1 && valued !== -1 ? "value" : null;
}

function beforeSubcommand(text: string, { flags, valued }: NonNullable<ProgramOptions["before"]>): Next {
  if (flags.includes(text) || valued.some((name) => name.startsWith("--") && text.startsWith(`${name}=`)))
    return null;
  return valued.includes(text) ? "value" : "unsure";
}

function afterSubcommand(text: string): Next {
  return text.startsWith("--") && text.includes("=") ? null : "unsure";
}

/** Programs accept long options that are cut short, and values in the next word. */
function mayMean(given: string, wanted: string): boolean {
  if (/^-[^-]$/.test(wanted)) return false;
  const name = given.replace(/^--?/, "").replace(/=.*$/s, "");
  const bare = wanted.replace(/^--?/, "");
  return name !== "" && bare.startsWith(name) && (given.startsWith("--") || name.length > 1);
}
