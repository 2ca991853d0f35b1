import type { SqlCursor } from "./sql-cursor.ts";
import type { ExpressionReader, ReadStatement, Visible } from "./sql-expression.ts";

/** A name as the database resolves it: its parts, each as the dialect folds it. */
export interface SqlName {
  readonly parts: readonly string[];
}

/** Reads what stands after FROM: tables, subqueries and joins. */
export class TableReader {
  readonly #cursor: SqlCursor;
  readonly #expressions: ExpressionReader;
  readonly #readStatement: ReadStatement;
  readonly tables: SqlName[] = [];
  /** Names that stand for a row of a table in expressions, in lower case. */
  readonly rows = new Set<string>();

  constructor(cursor: SqlCursor, expressions: ExpressionReader, readStatement: ReadStatement) {
    this.#cursor = cursor;
    this.#expressions = expressions;
    this.#readStatement = readStatement;
  }

  read(visible: Visible): void {
    do {
      this.#table(visible);
      while (this.#join()) this.#joined(visible);
    } while (this.#cursor.takeSign(",") && this.#cursor.fault === null);
  }

  /** Takes the words before the second table of a join. */
  #join(): boolean {
    const start = this.#cursor.at;
    this.#cursor.takeWord("NATURAL");
    if (this.#cursor.takeWord("LEFT", "RIGHT", "FULL")) this.#cursor.takeWord("OUTER");
    else this.#cursor.takeWord("INNER", "CROSS");
    if (this.#cursor.takeWord("JOIN")) return true;
    if (this.#cursor.at !== start) this.#cursor.fail("a join that is not read");
    return false;
  }

  #joined(visible: Visible): void {
    this.#table(visible);
    if (this.#cursor.takeWord("ON")) this.#expressions.read(visible, true);
    else if (this.#cursor.takeWord("USING")) {
      this.#cursor.expectSign("(");
      this.#cursor.nested(() => this.#cursor.columnList());
    }
  }

  #table(visible: Visible): void {
    if (this.#cursor.takeSign("(")) {
      const isQuery = ["SELECT", "WITH"].includes(this.#cursor.word());
      this.#cursor.nested(() => (isQuery ? this.#readStatement(visible) : this.read(visible)));
    } else {
      const parts = this.#cursor.qualifiedName();
      const [only = "", ...more] = parts ?? [];
      const common = more.length > 0 ? undefined : visible.get(only.toLowerCase());
      if (common !== undefined && common !== only) this.#cursor.fail("names that differ in case only");
      if (parts !== null && common === undefined) this.tables.push({ parts });
      if (parts !== null) this.rows.add((parts.at(-1) ?? "").toLowerCase());
    }
    this.readAlias();
  }

  /** What an insert, update or delete changes: never a common table expression. */
  readTarget(): void {
    const parts = this.#cursor.qualifiedName();
    if (parts === null) return;
    this.tables.push({ parts });
    this.rows.add((parts.at(-1) ?? "").toLowerCase());
  }

  readAlias(): void {
    const isNamed = this.#cursor.takeWord("AS");
    const token = this.#cursor.peek();
    const isName = token !== undefined && this.#cursor.isName(token);
    if (isNamed && !isName) this.#cursor.fail("AS without a name");
    if (isName) {
      this.#cursor.at += 1;
      if ("text" in token) this.rows.add(token.text.toLowerCase());
    }
    if (this.#cursor.isSign("(")) this.#cursor.fail("a function in place of a table, or names of columns");
  }
}
