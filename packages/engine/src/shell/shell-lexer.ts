import { isBare, type ShellWord } from "./shell-word.ts";
import { BLANK, META, WordReader } from "./word-reader.ts";

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

/**
 * What may stand after `>&`: one digit, `-` or a plain file. bash ends a word after `-`, so that `>&-rm ls`
 * runs rm there.
 */
const DUPLICATED = /^(?:[0-9]|-|[A-Za-z_./][\w./-]*)$/;

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
  /** Whether a group in braces may have begun. */
  #isInGroup = false;
  /** Where the last word of a command ended. */
  #wordEndAt = -1;
  /** Whether a redirection came, and no word yet of the command that it belongs to. */
  #isBareRedirection = false;

  constructor(source: string) {
    this.#source = source;
  }

  read(): ShellTokens | Unread {
    while (this.#fault === null && this.#at < this.#source.length) {
      this.#readNext();
      if (this.#tokens.length > MAX_SHELL_TOKENS) this.#fail("more words than can be read");
    }
    this.#refuseBareRedirection();
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
    else {
      const word = this.#readWord();
      this.#tokens.push({ kind: "word", word });
      this.#isInGroup ||= isBare(word) && word.text === "{";
      this.#wordEndAt = this.#at;
      this.#isBareRedirection = false;
    }
  }

  /** zsh runs a program of its settings for a redirection without a command, such as `cat` or `more`. */
  #refuseBareRedirection(): void {
    if (this.#isBareRedirection) this.#fail("a redirection without a command");
    this.#isBareRedirection = false;
  }

  #readWord(): ShellWord {
    return new WordReader(this.#source, this.#at, this.#isInGroup, this.#wordEnd).read();
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

  /** No backslash goes on in the next line. */
  #skipComment(): void {
    const end = this.#source.indexOf("\n", this.#at);
    this.#at = end === -1 ? this.#source.length : end;
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
    this.#refuseBareRedirection();
    this.#tokens.push({ kind: "operator", operator });
    this.#at += length;
  }

  #readRedirection(char: string): void {
    const start = this.#at;
    const next = this.#source.charAt(start + 1);
    if (next === "(") return this.#fail("a process substitution");
    const isHereString = this.#source.startsWith("<<<", start);
    if (char === "<" && next === "<" && !isHereString) return this.#fail("a here-document");
    this.#dropDescriptor(start);
    this.#redirects = true;
    const last = this.#tokens.at(-1);
    if (last === undefined || (last.kind === "operator" && last.operator !== ")"))
      this.#isBareRedirection = true;
    if (isHereString) this.#at += 3;
    else this.#at += next === "&" || next === "|" || next === ">" ? 2 : 1;
    while (BLANK.includes(this.#source.charAt(this.#at)) && this.#at < this.#source.length) this.#at += 1;
    const target = this.#source.charAt(this.#at);
    if (target === "" || target === "#" || META.includes(target))
      return this.#fail("a redirection without a file");
    // For zsh `>!` is an operator, and the next word is the file.
    if (target === "!") return this.#fail("the operator >!, which shells read differently");
    const word = this.#readWord();
    if (next === "&" && !(isBare(word) && DUPLICATED.test(word.text)))
      this.#fail("a descriptor that shells read differently");
  }

  /** `2>` and `{name}>`: the word before the operator belongs to the redirection. */
  #dropDescriptor(start: number): void {
    const before = this.#source.charAt(start - 1);
    if (before === "}") return this.#fail("a redirection with a descriptor that has a name");
    const last = this.#tokens.at(-1);
    // The target of a redirection before it does not belong to the command.
    if (this.#wordEndAt !== start || last?.kind !== "word") return;
    if (!isBare(last.word) || !/^[0-9]+$/.test(last.word.text)) return;
    // bash takes `12>` for a descriptor, and dash takes `12` for an argument.
    if (last.word.text.length > 1) return this.#fail("a descriptor of digits that shells read differently");
    this.#tokens.pop();
  }
}
