import type { ShellWord } from "./shell-word.ts";

export type ShellOperator = "\n" | ";" | "&" | "&&" | "|" | "||" | "(" | ")";

export type ShellToken =
  | { readonly kind: "word"; readonly word: ShellWord }
  | { readonly kind: "operator"; readonly operator: ShellOperator };

/** A text that cannot be read surely, and what in it is the cause. */
export interface Unread {
  readonly kind: "unread";
  readonly because: string;
}

export interface ShellTokens {
  readonly kind: "tokens";
  readonly tokens: readonly ShellToken[];
  /** Whether a command reads or writes a file in place of its input or output. */
  readonly redirects: boolean;
}

/** Most words and operators of one text. */
export const MAX_SHELL_TOKENS = 4_096;

/** Control characters but tab and newline, white space but the ASCII space, and halves of characters. */
const UNREADABLE = /[^\P{Cc}\n\t]|[^\P{Z} ]|[\p{Cs}\uFEFF\u180E]/u;

const BLANK = " \t";
const META = " \t\n;&|()<>";
/** Where one shell begins a comment and another goes on reading, these would be read as something else. */
const ACTIVE_IN_COMMENT = /[;&|`$()<>\\'"]/;
const BRACED_NAME = /\{(?:[A-Za-z_]\w*|[0-9@*#?$!-])\}/y;
const NAME = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;
const PLAIN_BRACES = /\{[A-Za-z0-9_-]*\}/y;

/**
 * Splits a command line into words and operators as sh, bash, dash and zsh do where they agree. Linear in the
 * length of the text.
 */
export function readShellTokens(text: string): ShellTokens | Unread {
  if (UNREADABLE.test(text)) return unread("a control character, or white space that is not a space");
  return new ShellLexer(text).read();
}

export function unread(because: string): Unread {
  return { kind: "unread", because };
}

class ShellLexer {
  readonly #source: string;
  readonly #tokens: ShellToken[] = [];
  #at = 0;
  #fault: string | null = null;
  #redirects = false;

  constructor(source: string) {
    this.#source = source;
  }

  read(): ShellTokens | Unread {
    while (this.#fault === null && this.#at < this.#source.length) {
      this.#readNext();
      if (this.#tokens.length > MAX_SHELL_TOKENS) this.#fail("more words than can be read");
    }
    return this.#fault === null
      ? { kind: "tokens", tokens: this.#tokens, redirects: this.#redirects }
      : unread(this.#fault);
  }

  /** Ends the reading: nothing after the place is looked at. */
  #fail(because: string): void {
    this.#fault ??= because;
    this.#at = this.#source.length;
  }

  #readNext(): void {
    const char = this.#source.charAt(this.#at);
    if (BLANK.includes(char)) this.#at += 1;
    else if (char === "\\" && this.#source.charAt(this.#at + 1) === "\n") this.#skipLineEnd();
    else if (char === "#") this.#skipComment();
    else if (char === "<" || char === ">") this.#readRedirection(char);
    else if (META.includes(char)) this.#readOperator(char);
    else
      this.#tokens.push({ kind: "word", word: new WordReader(this.#source, this.#at, this.#wordEnd).read() });
  }

  readonly #wordEnd = (at: number, fault: string | null): void => {
    this.#at = at;
    if (fault !== null) this.#fail(fault);
  };

  /** Within a word or an operator the shell joins both sides, `$` and `(` among them. */
  #skipLineEnd(): void {
    const before = this.#source.charAt(this.#at - 1);
    if (before === "" || before === "\n" || BLANK.includes(before)) this.#at += 2;
    else this.#fail("a backslash at the end of a line, inside a word");
  }

  #skipComment(): void {
    const end = this.#source.indexOf("\n", this.#at);
    const next = end === -1 ? this.#source.length : end;
    if (ACTIVE_IN_COMMENT.test(this.#source.slice(this.#at, next)))
      this.#fail("a comment that some shells would run");
    else this.#at = next;
  }

  #readOperator(char: string): void {
    const next = this.#source.charAt(this.#at + 1);
    if (char === ";" && (next === ";" || next === "&" || next === "|")) this.#fail("the branches of a case");
    // bash writes both outputs to a file; other shells end the command and begin another.
    else if (char === "&" && (next === ">" || next === "|" || next === "!"))
      this.#fail(`the operator &${next}, which shells read differently`);
    else if (char === "&") this.#pushOperator(next === "&" ? "&&" : "&", next === "&" ? 2 : 1);
    else if (char === "|" && next === "|") this.#pushOperator("||", 2);
    else if (char === "|") this.#pushOperator("|", next === "&" ? 2 : 1);
    // Arithmetic evaluates the values of variables, and commands within these.
    else if (char === "(" && next === "(") this.#fail("two parentheses, which may be arithmetic");
    else if (char === "\n" || char === ";" || char === "(" || char === ")") this.#pushOperator(char, 1);
  }

  #pushOperator(operator: ShellOperator, length: number): void {
    this.#tokens.push({ kind: "operator", operator });
    this.#at += length;
  }

  #readRedirection(char: string): void {
    const start = this.#at;
    const next = this.#source.charAt(start + 1);
    if (next === "(") return this.#fail("a process substitution");
    if (char === "<" && next === "<") return this.#fail("a here-document");
    this.#dropDescriptor(start);
    this.#redirects = true;
    this.#at += next === "&" || next === "|" || next === ">" ? 2 : 1;
    while (BLANK.includes(this.#source.charAt(this.#at)) && this.#at < this.#source.length) this.#at += 1;
    const target = this.#source.charAt(this.#at);
    if (target === "" || META.includes(target)) return this.#fail("a redirection without a file");
    new WordReader(this.#source, this.#at, this.#wordEnd).read();
  }

  /** `2>` and `{name}>`: the word before the operator belongs to the redirection. */
  #dropDescriptor(start: number): void {
    const before = this.#source.charAt(start - 1);
    if (before === "}") return this.#fail("a redirection with a descriptor that has a name");
    const last = this.#tokens.at(-1);
    if (before === "" || META.includes(before) || last?.kind !== "word") return;
    if (!/^[0-9]+$/.test(last.word.text) || last.word.bareLength !== last.word.text.length) return;
    // bash takes `12>` for a descriptor, and dash takes `12` for an argument.
    if (last.word.text.length > 1) return this.#fail("a descriptor of digits that shells read differently");
    this.#tokens.pop();
  }
}

/** Reads one word: from its first character to the next that stands outside quotes and separates words. */
class WordReader {
  readonly #source: string;
  readonly #ended: (at: number, fault: string | null) => void;
  #at: number;
  readonly #start: number;
  #text = "";
  #bareLength: number | null = null;
  #isOpen = false;
  #mayBeOption = false;
  #fault: string | null = null;

  constructor(source: string, at: number, ended: (at: number, fault: string | null) => void) {
    this.#source = source;
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
      mayBeOption: this.#isOpen && (this.#mayBeOption || /^(?:$|[-[])/.test(this.#text)),
      bareLength: this.#bareLength ?? this.#text.length,
    };
  }

  #readPart(char: string): void {
    if (char === "'") this.#readSingleQuoted();
    else if (char === '"') this.#readDoubleQuoted();
    else if (char === "\\") this.#readEscaped();
    else if (char === "$") this.#readExpansion(false);
    else if (char === "`") this.#fail("a command substitution");
    else if (char === "!") this.#readExclamation(false);
    else if (char === "{") this.#readBrace();
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
      else if (char === "!") this.#readExclamation(true);
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
    const end = this.#endOf(next === "{" ? BRACED_NAME : NAME, this.#at + 1);
    if (end !== null) {
      const isList = /^\$\{?[@*]/.test(this.#source.slice(this.#at, this.#at + 3));
      this.#isOpen = true;
      this.#mayBeOption ||= !isQuoted || isList;
      this.#at = end;
    } else if (next === "" || BLANK.includes(next) || next === "\n" || (isQuoted && next === '"')) {
      this.#add("$", 1);
    } else this.#fail("an expansion that is not a plain variable");
  }

  /** An interactive shell replaces `!` and what follows by an earlier command. */
  #readExclamation(isQuoted: boolean): void {
    const next = this.#source.charAt(this.#at + 1);
    if (next === "" || next === "=" || " \t\n".includes(next) || (isQuoted && next === '"'))
      this.#add("!", 1);
    else this.#fail("a history expansion");
  }

  /** `{` alone is a keyword. Braces around one plain name expand to themselves. */
  #readBrace(): void {
    const next = this.#source.charAt(this.#at + 1);
    if (this.#at === this.#start && (next === "" || META.includes(next))) return this.#add("{", 1);
    const end = this.#endOf(PLAIN_BRACES, this.#at);
    if (end === null) this.#fail("a brace expansion");
    else this.#add(this.#source.slice(this.#at, end), end - this.#at);
  }

  #endOf(pattern: RegExp, from: number): number | null {
    pattern.lastIndex = from;
    return pattern.test(this.#source) ? pattern.lastIndex : null;
  }
}
