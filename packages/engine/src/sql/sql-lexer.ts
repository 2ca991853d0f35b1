import { IDENTIFIER_QUOTES, type SqlDialect } from "./sql-dialect.ts";

export type SqlToken =
  /** A keyword or a name without quotes; `upper` is it in capitals. */
  | { readonly kind: "word"; readonly text: string; readonly upper: string }
  | { readonly kind: "quoted"; readonly text: string; readonly quote: string }
  /** A text, a number or a parameter. `mayBeOperator`: `?` in PostgreSQL, unless a driver replaces it. */
  | { readonly kind: "value"; readonly mayBeOperator?: true }
  /** An operator or a sign. */
  | { readonly kind: "sign"; readonly text: string };

export interface SqlUnread {
  readonly kind: "unread";
  readonly because: string;
}

export interface SqlTokens {
  readonly kind: "tokens";
  readonly tokens: readonly SqlToken[];
}

/** Most words, values and signs of one text. */
export const MAX_SQL_TOKENS = 8_192;

/** Control characters but tab and line ends. A lone carriage return ends a comment for some databases. */
const UNREADABLE = /[^\P{Cc}\n\t\r]|\r(?!\n)|[\p{Cs}]/u;
/** Letters and signs that drivers turn into quotes. */
const LIKE_QUOTE = /[\u0300-\u036f]|[\u02b0-\u02ff\u2018-\u201f\u2032-\u2037\u275b-\u275e\uff00-\uffef]/;

const SPACE = /[ \t\r\n]+/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const OPERATOR = /[-+*/<>=!%|&^~]+/y;
const PARAMETER = /\$[0-9]+|\?/y;
const PLAIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9_ -]*$/;

const OPERATORS: ReadonlySet<string> = new Set(
  ["+", "-", "*", "/", "%", "<", ">", "=", "<=", ">=", "<>", "!=", "||", "->", "->>"].flatMap((sign) =>
    // PostgreSQL reads %- and !=- as operators of their own.
    (sign.length === 1 && sign !== "%") || /^(?:[<>]=|<>)$/.test(sign)
      ? [sign, `${sign}-`, `${sign}+`]
      : [sign],
  ),
);

export function sqlUnread(because: string): SqlUnread {
  return { kind: "unread", because };
}

/** Splits a text of SQL into tokens where databases of the dialect surely agree. Linear in its length. */
export function readSqlTokens(text: string, dialect: SqlDialect): SqlTokens | SqlUnread {
  if (UNREADABLE.test(text)) return sqlUnread("a control character");
  return new SqlLexer(text, dialect).read();
}

class SqlLexer {
  readonly #source: string;
  readonly #dialect: SqlDialect;
  readonly #tokens: SqlToken[] = [];
  #at = 0;
  #fault: string | null = null;

  constructor(source: string, dialect: SqlDialect) {
    this.#source = source;
    this.#dialect = dialect;
  }

  read(): SqlTokens | SqlUnread {
    while (this.#fault === null && this.#at < this.#source.length) {
      this.#readNext();
      if (this.#tokens.length > MAX_SQL_TOKENS) this.#fault = "more words than can be read";
    }
    return this.#fault === null ? { kind: "tokens", tokens: this.#tokens } : sqlUnread(this.#fault);
  }

  #readNext(): void {
    if (this.#take(SPACE) !== null) return;
    const char = this.#source.charAt(this.#at);
    const pair = this.#source.slice(this.#at, this.#at + 2);
    if (pair === "--") this.#skipLine();
    else if (pair === "/*") this.#skipComment();
    else if (char === "'") this.#readText();
    else if (IDENTIFIER_QUOTES[this.#dialect].includes(char)) this.#readQuoted(char);
    else if (pair === "::" && this.#dialect === "postgres") this.#sign("::");
    else if ("(),;".includes(char)) this.#sign(char);
    else if (!this.#readRun()) this.#fault = reasonFor(char);
  }

  /** Words, numbers, parameters, operators, and the dot between names. */
  #readRun(): boolean {
    const word = this.#take(WORD);
    if (word !== null) {
      this.#tokens.push({ kind: "word", text: word, upper: word.toUpperCase() });
      if (/^[$#@'"`]|^[^\0-\x7f]/.test(this.#next())) this.#fault = "a word beside a quote or a sign";
      return true;
    }
    const number = this.#take(NUMBER);
    if (number !== null) {
      this.#tokens.push({ kind: "value" });
      if (/^[A-Za-z0-9_.$'"`]|^[^\0-\x7f]/.test(this.#next())) this.#fault = "a number beside a word";
      return true;
    }
    if (this.#source.charAt(this.#at) === ".") {
      this.#sign(".");
      return true;
    }
    const parameter = this.#take(PARAMETER);
    if (parameter !== null) {
      const isMark = parameter === "?" && ["postgres", "any"].includes(this.#dialect);
      this.#tokens.push(isMark ? { kind: "value", mayBeOperator: true } : { kind: "value" });
      if (/^[A-Za-z0-9_$?|&]/.test(this.#next())) this.#fault = "a parameter beside a word";
      return true;
    }
    return this.#readOperator();
  }

  #readOperator(): boolean {
    const run = this.#take(OPERATOR);
    if (run === null) return false;
    const comment = /--|\/\*/.exec(run);
    const operator = comment === null ? run : run.slice(0, comment.index);
    this.#at -= run.length - operator.length;
    if (OPERATORS.has(operator)) this.#tokens.push({ kind: "sign", text: operator });
    else this.#fault = "an operator that databases read differently";
    return true;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #next(): string {
    return this.#source.charAt(this.#at);
  }

  #sign(text: string): void {
    this.#tokens.push({ kind: "sign", text });
    this.#at += text.length;
  }

  /** For MySQL `--` begins a comment only before white space, for the others anywhere. */
  #skipLine(): void {
    const after = this.#source.charAt(this.#at + 2);
    const end = this.#source.indexOf("\n", this.#at);
    const isSpaced = after === "" || " \t\r\n".includes(after);
    if (!isSpaced && ["mysql", "any"].includes(this.#dialect)) this.#fault = "-- without a space after it";
    else this.#at = end === -1 ? this.#source.length : end;
  }

  /** PostgreSQL nests comments, MySQL runs some, and SQLite takes one that does not end. */
  #skipComment(): void {
    const end = this.#source.indexOf("*/", this.#at + 2);
    const text = end === -1 ? "" : this.#source.slice(this.#at + 2, end);
    if (end === -1) this.#fault = "a comment that does not end";
    else if (text.includes("/*") || text.endsWith("/")) this.#fault = "a comment inside a comment";
    else if (/^(?:!|\+|M!)/.test(text)) this.#fault = "a comment that some databases run";
    else this.#at = end + 2;
  }

  #readText(): void {
    const from = this.#at;
    let end = this.#source.indexOf("'", from + 1);
    while (end !== -1 && this.#source.charAt(end + 1) === "'") end = this.#source.indexOf("'", end + 2);
    const text = end === -1 ? "" : this.#source.slice(from + 1, end);
    if (end === -1) this.#fault = "a text that does not end";
    else if (text.includes("\\")) this.#fault = "a backslash in a text";
    else if (LIKE_QUOTE.test(text)) this.#fault = "a character that drivers may turn into a quote";
    else {
      this.#tokens.push({ kind: "value" });
      this.#at = end + 1;
      if (/^[A-Za-z0-9_"`]/.test(this.#next())) this.#fault = "a text beside a word";
    }
  }

  #readQuoted(quote: string): void {
    const end = this.#source.indexOf(quote, this.#at + 1);
    const text = end === -1 ? "" : this.#source.slice(this.#at + 1, end);
    const after = this.#source.charAt(end + 1);
    if (!PLAIN_NAME.test(text) || /[A-Za-z0-9_'"`]/.test(after))
      this.#fault = "a quoted name that is not plain";
    else {
      this.#tokens.push({ kind: "quoted", text, quote });
      this.#at = end + 1;
    }
  }
}

function reasonFor(char: string): string {
  switch (char) {
    case "$":
      return "dollar quoting";
    case "\\":
      return "a backslash";
    case '"':
    case "`":
    case "[":
      return `the quote ${char}, which databases read differently`;
    case "#":
    case "@":
    case ":":
    case "{":
    case "}":
      return `the sign ${char}, which databases read differently`;
    default:
      return "a character outside ASCII, or one that SQL does not have";
  }
}
