import type { ShellWord } from "./shell-word.ts";

export const BLANK = " \t";
export const META = " \t\n;&|()<>";

const MAY_BEGIN_OPTION = /^(?:$|[-[])/;
const BRACED_NAME = /\{(?:[A-Za-z_]\w*|[0-9@*#?$!-])\}/y;
const NAME = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;
const PLAIN_BRACES = /\{[A-Za-z0-9_-]*\}/y;
/** A tab for bash and zsh, and a dollar with a text for dash: neither makes an option. */
const TAB = "$'\\t'";
/** Braces that bash and zsh expand to numbers, and dash keeps. */
const RANGE = /\{[0-9]+\.\.[0-9]+(?:\.\.[0-9]+)?\}/y;

/** Reads one word: from its first character to the next that stands outside quotes and separates words. */
export class WordReader {
  readonly #source: string;
  readonly #isInGroup: boolean;
  readonly #ended: (at: number, fault: string | null) => void;
  #at: number;
  readonly #start: number;
  #text = "";
  #bareLength: number | null = null;
  #isOpen = false;
  #mayBeOption = false;
  /** Whether an open word begins with something other than a dash in every shell. */
  #beginsPlainly = false;
  #fault: string | null = null;
  #hasModifierF: boolean | null = null;

  /** @param isInGroup whether a group in braces may have begun before the word */
  constructor(
    source: string,
    at: number,
    isInGroup: boolean,
    ended: (at: number, fault: string | null) => void,
  ) {
    this.#source = source;
    this.#isInGroup = isInGroup;
    this.#start = at;
    this.#at = at;
    this.#ended = ended;
  }

  read(): ShellWord {
    while (this.#fault === null && this.#at < this.#source.length) {
      const char = this.#source.charAt(this.#at);
      if (META.includes(char)) break;
      this.#readPart(char);
    }
    if (this.#text === "[" && this.#at === this.#start + 1) this.#isOpen = false;
    this.#ended(this.#at, this.#fault);
    return {
      text: this.#text,
      isOpen: this.#isOpen,
      mayBeOption:
        this.#isOpen && (this.#mayBeOption || (!this.#beginsPlainly && MAY_BEGIN_OPTION.test(this.#text))),
      bareLength: this.#bareLength ?? this.#text.length,
    };
  }

  #readPart(char: string): void {
    if (char === "'") this.#readSingleQuoted();
    else if (char === '"') this.#readDoubleQuoted();
    else if (char === "\\") this.#readEscaped();
    else if (char === "$") this.#readExpansion(false);
    else if (char === "`") this.#fail("a command substitution");
    else if (char === "!") this.#readExclamation();
    else if (char === "{") this.#readBrace();
    else if (char === "}") this.#readClosingBrace();
    else if (char === "*" || char === "?" || char === "[") this.#readOpen();
    else if (char === "~" && this.#at === this.#start) this.#readOpen();
    else this.#add(char, 1);
  }

  #fail(because: string): void {
    this.#fault ??= because;
  }

  #add(text: string, length: number): void {
    if (!this.#isOpen) this.#text += text;
    this.#at += length;
  }

  /** What the word says from here on depends on files or accounts. */
  #readOpen(): void {
    const char = this.#source.charAt(this.#at);
    this.#add(char === "[" || char === "~" ? char : "", 1);
    this.#isOpen = true;
  }

  #readSingleQuoted(): void {
    this.#bareLength ??= this.#text.length;
    const end = this.#source.indexOf("'", this.#at + 1);
    if (end === -1) this.#fail("a quote that does not end");
    else this.#add(this.#source.slice(this.#at + 1, end), end + 1 - this.#at);
  }

  #readDoubleQuoted(): void {
    this.#bareLength ??= this.#text.length;
    this.#at += 1;
    while (this.#fault === null) {
      const char = this.#source.charAt(this.#at);
      const next = this.#source.charAt(this.#at + 1);
      if (char === "") this.#fail("a quote that does not end");
      else if (char === '"') {
        this.#at += 1;
        return;
      } else if (char === "$") this.#readExpansion(true);
      else if (char === "`") this.#fail("a command substitution");
      else if (char === "\\" && next === "\n") this.#fail("a backslash at the end of a line, inside a word");
      else if (char === "\\" && next !== "" && '$`"\\'.includes(next)) this.#add(next, 2);
      else this.#add(char, 1);
    }
  }

  #readEscaped(): void {
    this.#bareLength ??= this.#text.length;
    const next = this.#source.charAt(this.#at + 1);
    if (next === "") this.#fail("a backslash at the end");
    else if (next === "\n") this.#fail("a backslash at the end of a line, inside a word");
    else this.#add(next, 2);
  }

  #readExpansion(isQuoted: boolean): void {
    const next = this.#source.charAt(this.#at + 1);
    if (next === "(") return this.#fail("a command substitution");
    // dash keeps the characters, of which t may be one more option.
    if (!isQuoted && this.#source.startsWith(TAB, this.#at)) {
      this.#bareLength ??= this.#text.length;
      this.#beginsPlainly ||= !this.#isOpen;
      this.#isOpen = true;
      this.#at += TAB.length;
      return;
    }
    const end = this.#endOf(next === "{" ? BRACED_NAME : NAME, this.#at + 1);
    if (end !== null) {
      const isList = /^\$\{?[@*]/.test(this.#source.slice(this.#at, this.#at + 3));
      this.#isOpen = true;
      this.#mayBeOption ||= !isQuoted || isList;
      this.#at = end;
      if (this.#isReadOnByZsh(end)) this.#fail("a variable with what zsh reads behind it");
    } else if (next === "" || BLANK.includes(next) || next === "\n" || (isQuoted && next === '"')) {
      this.#add("$", 1);
    } else this.#fail("an expansion that is not a plain variable");
  }

  /**
   * zsh runs the substitutions in a subscript behind a variable, and in the number of the modifier F, which
   * may stand behind others. It does so with a text in quotes, too.
   */
  #isReadOnByZsh(end: number): boolean {
    const next = this.#source.charAt(end);
    if (next !== ":" || !/[A-Za-z&]/.test(this.#source.charAt(end + 1))) return next === "[";
    this.#hasModifierF ??= this.#source.includes(":F");
    return this.#hasModifierF;
  }

  /** Only an interactive shell reads history. `!` alone is a keyword, and `!(` a glob or a group. */
  #readExclamation(): void {
    const next = this.#source.charAt(this.#at + 1);
    const isPlain = next === "" || next === "=" || " \t\n".includes(next);
    if (isPlain || (this.#at > this.#start && !META.includes(next))) this.#add("!", 1);
    else this.#fail("an exclamation mark that may be a keyword or a pattern");
  }

  /** `{` alone is a keyword. Braces around one plain name expand to themselves. */
  #readBrace(): void {
    const next = this.#source.charAt(this.#at + 1);
    if (this.#at === this.#start && (next === "" || META.includes(next))) return this.#add("{", 1);
    const end = this.#endOf(PLAIN_BRACES, this.#at);
    if (end === null) this.#readRange();
    else this.#add(this.#source.slice(this.#at, end), end - this.#at);
  }

  /** `}` alone is a keyword. zsh ends a group there inside a word, too: { ls "{"} always { rm x }. */
  #readClosingBrace(): void {
    const next = this.#source.charAt(this.#at + 1);
    const isAlone = this.#at === this.#start && (next === "" || META.includes(next));
    if (this.#isInGroup && !isAlone) this.#fail("a brace that shells read differently");
    this.#add("}", 1);
  }

  #readRange(): void {
    const end = this.#endOf(RANGE, this.#at);
    if (end === null) return this.#fail("a brace expansion");
    // With more characters it could be the name of a program: `{7..7}z`.
    if (this.#at === this.#start) {
      if (!META.includes(this.#source.charAt(end))) return this.#fail("a brace expansion");
      this.#beginsPlainly = true;
    }
    this.#isOpen = true;
    this.#at = end;
  }

  #endOf(pattern: RegExp, from: number): number | null {
    pattern.lastIndex = from;
    return pattern.test(this.#source) ? pattern.lastIndex : null;
  }
}
