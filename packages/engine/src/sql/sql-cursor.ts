import type { SqlDialect } from "./sql-dialect.ts";
import type { SqlToken } from "./sql-lexer.ts";
import { RESERVED } from "./sql-words.ts";

/** Most subqueries and parentheses within each other. */
const MAX_NESTING = 32;

/** Where the reading of one statement is. After a fault there is nothing left to read. */
export class SqlCursor {
  readonly tokens: readonly SqlToken[];
  readonly #dialect: SqlDialect;
  at = 0;
  fault: string | null = null;
  #depth = 0;

  constructor(tokens: readonly SqlToken[], dialect: SqlDialect) {
    this.tokens = tokens;
    this.#dialect = dialect;
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

  /** One name as the dialect folds it. */
  plainName(): string | null {
    const token = this.peek();
    if (token?.kind === "quoted") {
      this.at += 1;
      return token.text;
    }
    if (token?.kind === "word" && !RESERVED.has(token.upper)) {
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
