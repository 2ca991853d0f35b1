import type { SqlDialect } from "./sql-dialect.ts";
import type { SqlToken } from "./sql-lexer.ts";
import {
  AFTER_CALLS,
  BEFORE_BY,
  BEFORE_GROUP,
  BEFORE_VALUES,
  ENDS_OF_VALUES,
  INFIX,
  MYSQL_INFIX,
  MYSQL_TYPES,
  PLAIN_NAMES,
  PLAIN_TYPES,
  QUANTIFIERS,
  RESERVED,
} from "./sql-words.ts";

/** Most subqueries and parentheses within each other. */
const MAX_NESTING = 32;

/** Where the reading of one statement is. After a fault there is nothing left to read. */
export class SqlCursor {
  readonly tokens: readonly SqlToken[];
  readonly #dialect: SqlDialect;
  at = 0;
  fault: string | null = null;
  #depth = 0;
  /** Where calls of functions, and what belongs to them, end. */
  readonly #callEnds = new Set<number>();

  constructor(tokens: readonly SqlToken[], dialect: SqlDialect) {
    this.tokens = tokens;
    this.#dialect = dialect;
  }

  get mayBePostgres(): boolean {
    return this.#dialect === "postgres" || this.#dialect === "any";
  }

  fail(because: string): void {
    this.fault ??= because;
    this.at = this.tokens.length;
  }

  peek(offset = 0): SqlToken | undefined {
    return this.tokens[this.at + offset];
  }

  /** The next keyword in capitals; empty for anything else. */
  word(offset = 0): string {
    const token = this.peek(offset);
    return token?.kind === "word" ? token.upper : "";
  }

  isSign(text: string, offset = 0): boolean {
    const token = this.peek(offset);
    return token?.kind === "sign" && token.text === text;
  }

  takeWord(...words: readonly string[]): boolean {
    const found = words.includes(this.word());
    if (found) this.at += 1;
    return found;
  }

  takeSign(text: string): boolean {
    const found = this.isSign(text);
    if (found) this.at += 1;
    return found;
  }

  expectSign(text: string): void {
    if (!this.takeSign(text)) this.fail(`a place where ${text} was expected`);
  }

  /** What stands between parentheses, the first of which was taken. */
  nested(read: () => void): void {
    this.#depth += 1;
    if (this.#depth > MAX_NESTING) this.fail("too many parentheses within each other");
    else read();
    this.#depth -= 1;
    this.expectSign(")");
  }

  columnList(): void {
    do {
      this.plainName();
    } while (this.takeSign(","));
  }

  /** Whether a table, a column or an alias may have the name. */
  isName(token: SqlToken): boolean {
    if (token.kind === "quoted") return true;
    if (token.kind !== "word") return false;
    return !RESERVED.has(token.upper) || PLAIN_NAMES[this.#dialect].has(token.upper);
  }

  /** Whether a word is a name although it is a keyword elsewhere. For SQLite MATCH is an operator, too. */
  isPlainWord(upper: string): boolean {
    return PLAIN_NAMES[this.#dialect].has(upper) && (upper !== "MATCH" || this.isDotted());
  }

  /** Whether a cast to the type only converts. In PostgreSQL types of one's own may have MySQL's names. */
  isPlainType(upper: string): boolean {
    return PLAIN_TYPES.has(upper) || (MYSQL_TYPES.has(upper) && !this.mayBePostgres);
  }

  /** Whether a dot stands before or after the token. */
  isDotted(): boolean {
    return this.isSign(".", -1) || this.isSign(".", 1);
  }

  /** Whether the word before the next token is one that a database would call as a function. */
  isCalled(): boolean {
    const word = this.word(-1);
    if (this.isSign(".", -2)) return true;
    // SQLite has no such operators, and takes the words for functions.
    if (QUANTIFIERS.has(word) && ["sqlite", "any"].includes(this.#dialect)) return true;
    if (word === "" || BEFORE_GROUP.has(word)) return false;
    if (AFTER_CALLS.has(word)) return !this.#callEnds.has(this.at - 2);
    if (MYSQL_INFIX.has(word) && this.#dialect !== "mysql") return true;
    if (INFIX.has(word)) return !this.followsValue(-1);
    if (word === "BY") return !BEFORE_BY.has(this.word(-2));
    // The length of a type, as in CAST(x AS varchar(10)).
    return this.word(-2) !== "AS";
  }

  /** Notes that a call has ended with the last token. */
  endCall(): void {
    this.#callEnds.add(this.at - 1);
  }

  /** Whether what stands before a word surely is a value, so that the word may be an operator. */
  followsValue(offset: number): boolean {
    const token = this.peek(this.word(offset - 1) === "NOT" ? offset - 2 : offset - 1);
    if (token === undefined) return false;
    if (token.kind === "value") return token.mayBeOperator !== true;
    if (token.kind === "word" && BEFORE_VALUES.has(token.upper)) return false;
    if (token.kind === "word") return this.isName(token) || ENDS_OF_VALUES.has(token.upper);
    return token.kind !== "sign" || token.text === ")";
  }

  /** One name as the dialect folds it. */
  plainName(): string | null {
    const token = this.peek();
    if (token?.kind === "quoted") {
      this.at += 1;
      return token.text;
    }
    if (token?.kind === "word" && this.isName(token)) {
      this.at += 1;
      return this.#dialect === "postgres" ? token.text.toLowerCase() : token.text;
    }
    this.fail("a place where a name was expected");
    return null;
  }

  qualifiedName(): readonly string[] | null {
    const parts: string[] = [];
    do {
      const part = this.plainName();
      if (part === null) return null;
      parts.push(part);
    } while (this.takeSign("."));
    return parts;
  }
}
