import { readShellTokens, type ShellOperator, type ShellToken, type Unread, unread } from "./shell-lexer.ts";
import { isBare, type ShellWord } from "./shell-word.ts";

/** The simple commands of a text in its order, with what they assign before them. */
export interface ShellText {
  readonly kind: "text";
  readonly commands: readonly (readonly ShellWord[])[];
  /** Names that a `for` loop assigns to. */
  readonly loopVariables: readonly string[];
  readonly redirects: boolean;
}

/** The keyword that ends what each keyword begins. */
const ENDS: { readonly [keyword: string]: string } = { if: "fi", while: "done", until: "done", "{": "}" };

/** Where each inner keyword may stand: inside what ends with this. */
const INNER: ReadonlyMap<string, string> = new Map([
  ["then", "fi"],
  ["elif", "fi"],
  ["else", "fi"],
  ["do", "done"],
]);

const CLOSING: ReadonlySet<string> = new Set(["fi", "done", "}"]);

const UNREAD_KEYWORDS: ReadonlySet<string> = new Set([
  "case",
  "esac",
  "select",
  "function",
  "coproc",
  "[[",
  "]]",
  "foreach",
  "repeat",
  "end",
]);

export const KEYWORDS: ReadonlySet<string> = new Set([
  ...Object.keys(ENDS),
  ...INNER.keys(),
  ...CLOSING,
  ...UNREAD_KEYWORDS,
  "for",
  "in",
  "!",
]);

export function readShell(source: string): ShellText | Unread {
  const read = readShellTokens(source);
  return read.kind === "unread" ? read : new ShellReader(read.tokens).read(read.redirects);
}

/** `command`: a command may begin. `words`: within one. `closed`: after a group, before an operator. */
type State = "command" | "words" | "closed";

class ShellReader {
  readonly #tokens: readonly ShellToken[];
  readonly #commands: (readonly ShellWord[])[] = [];
  readonly #loopVariables: string[] = [];
  /** What must still come to end the open groups, the innermost last. */
  readonly #ends: string[] = [];
  #words: ShellWord[] = [];
  #state: State = "command";
  /** After `&&`, `||`, `|` and keywords another command must come. */
  #needsCommand = false;
  #at = 0;
  #fault: string | null = null;

  constructor(tokens: readonly ShellToken[]) {
    this.#tokens = tokens;
  }

  read(redirects: boolean): ShellText | Unread {
    for (; this.#fault === null && this.#at < this.#tokens.length; this.#at += 1) {
      const token = this.#tokens[this.#at];
      if (token?.kind === "operator") this.#readOperator(token.operator);
      else if (token !== undefined) this.#readWord(token.word);
    }
    this.#endCommand();
    if (this.#ends.length > 0 || this.#needsCommand) this.#fault ??= "a command that does not end";
    if (this.#fault !== null) return unread(this.#fault);
    return { kind: "text", commands: this.#commands, loopVariables: this.#loopVariables, redirects };
  }

  #endCommand(): void {
    if (this.#words.length > 0) this.#commands.push(this.#words);
    this.#words = [];
  }

  #readOperator(operator: ShellOperator): void {
    const isAfterCommand = this.#state !== "command";
    this.#endCommand();
    if (operator === "(") {
      if (isAfterCommand) this.#fault = "a parenthesis inside a command";
      this.#ends.push(")");
      this.#needsCommand = true;
    } else if (operator === ")") this.#close(")", isAfterCommand);
    else if (operator === "\n") this.#state = "command";
    else if (!isAfterCommand) this.#fault = "an operator without a command before it";
    else {
      this.#state = "command";
      this.#needsCommand = operator !== ";" && operator !== "&";
    }
  }

  #close(end: string, isAfterCommand: boolean): void {
    if (this.#ends.pop() !== end || (this.#needsCommand && !isAfterCommand))
      this.#fault = "a keyword or parenthesis that ends nothing";
    this.#state = "closed";
  }

  #readWord(word: ShellWord): void {
    if (this.#state === "words") {
      // zsh ends a group there.
      if (isBare(word) && word.text === "}") this.#fault = "a brace that shells read differently";
      this.#words.push(word);
      return;
    }
    const keyword = isBare(word) && KEYWORDS.has(word.text) ? word.text : null;
    if (keyword !== null) this.#readKeyword(keyword);
    else if (this.#state === "closed") this.#fault = "a word after a group of commands";
    else {
      this.#words.push(word);
      this.#state = "words";
      this.#needsCommand = false;
    }
  }

  #readKeyword(keyword: string): void {
    const end = ENDS[keyword];
    const inside = INNER.get(keyword);
    if (CLOSING.has(keyword)) this.#close(keyword, !this.#needsCommand);
    else if (inside !== undefined) this.#continue(inside);
    else if (this.#state === "closed") this.#fault = "a word after a group of commands";
    else if (end !== undefined) this.#open(end);
    else if (keyword === "for") this.#readFor();
    else if (keyword === "!") this.#needsCommand = true;
    else this.#fault = `the keyword ${keyword}`;
  }

  #open(end: string): void {
    this.#ends.push(end);
    this.#needsCommand = true;
  }

  #continue(inside: string): void {
    if (this.#ends.at(-1) !== inside || this.#needsCommand) this.#fault = "a keyword that stands nowhere";
    this.#state = "command";
    this.#needsCommand = true;
  }

  /** `for NAME`, then `in` with words, or neither. The commands follow between `do` and `done`. */
  #readFor(): void {
    const name = this.#wordAt(this.#at + 1);
    if (name === null || !isBare(name) || !/^[A-Za-z_]\w*$/.test(name.text)) {
      this.#fault = "a loop without a plain variable";
      return;
    }
    this.#at += 1;
    this.#loopVariables.push(name.text);
    const next = this.#wordAt(this.#at + 1);
    if (next !== null && isBare(next) && next.text === "in") {
      this.#at += 1;
      while (this.#wordAt(this.#at + 1) !== null) this.#at += 1;
    }
    const after = this.#tokens[this.#at + 1];
    if (after?.kind === "operator" && (after.operator === ";" || after.operator === "\n")) this.#at += 1;
    this.#ends.push("done");
    this.#needsCommand = false;
  }

  #wordAt(at: number): ShellWord | null {
    const token = this.#tokens[at];
    return token?.kind === "word" ? token.word : null;
  }
}
