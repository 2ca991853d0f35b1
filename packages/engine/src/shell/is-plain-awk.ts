import { wordList } from "../word-list.ts";
import type { ShellWord } from "./shell-word.ts";

export const AWKS: ReadonlySet<string> = new Set(["awk", "gawk", "mawk", "nawk"]);

/** Words after which a slash begins a regular expression. */
const BEFORE_PATTERN: ReadonlySet<string> = new Set(["print", "printf", "return", "else", "do"]);
/** Words after which versions of awk may read a slash differently. */
const BEFORE_SLASH_UNSURE: ReadonlySet<string> = new Set([
  ...wordList("BEGIN END exit next nextfile break continue delete default getline func function"),
  ...wordList("length in case if while for switch"),
]);
/** Run commands, or read files and the outputs of commands. */
const RUNNING: ReadonlySet<string> = new Set(["system", "getline"]);

const TOKEN =
  /[ \t]+|#[^\n]*|"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_]\w*|[0-9.]+|\|\||&&|\+\+|--|[\n{}()[\],;!~=+*/%^<>?:$|-]/y;
const PATTERN = /\/(?:[^/\\\n[\]]|\\[^\n]|\[\^?(?:[^\]/\\\n[]|\[:[a-z]+:\])+\])+\//y;

/**
 * Whether a call of awk runs no other program and writes no file: no `system`, `getline`, pipe, redirection,
 * indirect call, program file or library.
 */
export function isPlainAwk(words: readonly ShellWord[]): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const { text = "", isOpen = true } = words[at] ?? {};
    if (isOpen) return false;
    if (text === "--") return isPlainProgram(words[at + 1]);
    if (!text.startsWith("-")) return isPlainProgram(words[at]);
    if (!/^-[Fv]/.test(text)) return false;
    if (text.length > 2) continue;
    at += 1;
    if (words[at]?.isOpen !== false) return false;
  }
  return false;
}

function isPlainProgram(word: ShellWord | undefined): boolean {
  return word !== undefined && !word.isOpen && new AwkReader(word.text).isPlain();
}

/** What came before a slash: a value that it divides, the place of an expression, or neither surely. */
type Before = "value" | "expression" | "unsure";

class AwkReader {
  readonly #source: string;
  #at = 0;
  #before: Before = "expression";
  /** Within `print` and `printf`, where `>` names a file. */
  #isPrinting = false;

  constructor(source: string) {
    this.#source = source;
  }

  isPlain(): boolean {
    while (this.#at < this.#source.length) {
      const isRead = this.#source.charAt(this.#at) === "/" ? this.#readSlash() : this.#readToken();
      if (!isRead) return false;
    }
    return true;
  }

  #readSlash(): boolean {
    if (this.#before === "unsure") return false;
    if (this.#before === "value") {
      this.#at += 1;
      this.#before = "expression";
      return true;
    }
    this.#before = "value";
    return this.#take(PATTERN) !== null;
  }

  #readToken(): boolean {
    const token = this.#take(TOKEN);
    if (token === null || token === "|" || RUNNING.has(token)) return false;
    if (token === ">" && this.#isPrinting) return false;
    if (token === ";" || token === "}") this.#isPrinting = false;
    if (/^printf?$/.test(token)) this.#isPrinting = true;
    // A line may go on where no statement can end.
    if (token === "\n") this.#before = this.#before === "expression" ? "expression" : "unsure";
    else if (!/^[ \t#]/.test(token)) this.#before = beforeAfter(token);
    return true;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const [found = null] = pattern.exec(this.#source) ?? [];
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}

function beforeAfter(token: string): Before {
  // A parenthesis may end a condition, and ++ may stand before or after its variable.
  if (token === ")" || token === "++" || token === "--" || BEFORE_SLASH_UNSURE.has(token)) return "unsure";
  if (BEFORE_PATTERN.has(token)) return "expression";
  return /^[\w."\]]/.test(token) ? "value" : "expression";
}
