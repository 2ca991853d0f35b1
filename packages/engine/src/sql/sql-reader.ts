import { isSurelyBounded } from "./is-surely-bounded.ts";
import { SqlCursor } from "./sql-cursor.ts";
import type { SqlDialect } from "./sql-dialect.ts";
import { ExpressionReader, LAST_CLAUSES, NOTHING, type Visible } from "./sql-expression.ts";
import { readSqlTokens, type SqlToken, type SqlUnread, sqlUnread } from "./sql-lexer.ts";
import { type SqlName, TableReader } from "./sql-tables.ts";

/** What one statement does, subqueries and common table expressions included. */
export interface SqlStatement {
  /** `select`, `insert`, `update`, `delete`, or the first word of a statement that is not read. */
  readonly kinds: readonly string[];
  readonly tables: readonly SqlName[];
  readonly functions: readonly string[];
  /** What stands after dots in expressions, in lower case unless it is quoted. */
  readonly attributes: readonly string[];
  /** Whether a name of a table, which stands for a whole row, is used as a value. */
  readonly usesRow: boolean;
  /** Whether an update or delete has no condition that surely leaves rows out. */
  readonly isUnbounded: boolean;
}

export interface SqlText {
  readonly kind: "text";
  readonly statements: readonly SqlStatement[];
}

/** Statements whose tables and conditions are read. */
export const READ_STATEMENTS = ["select", "insert", "update", "delete"] as const;

/** Splits a text into statements, and says of each what it reads and writes. */
export function readSql(source: string, dialect: SqlDialect): SqlText | SqlUnread {
  const read = readSqlTokens(source, dialect);
  if (read.kind === "unread") return read;
  const statements: SqlStatement[] = [];
  for (const tokens of statementsOf(read.tokens)) {
    const reader = new StatementReader(tokens, dialect);
    const statement = reader.read();
    if ("because" in statement) return statement;
    statements.push(statement);
  }
  return { kind: "text", statements };
}

function statementsOf(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const statements: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "sign" && token.text === ";") statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter(({ length }) => length > 0);
}

class StatementReader {
  readonly #cursor: SqlCursor;
  readonly #dialect: SqlDialect;
  readonly #expressions: ExpressionReader;
  readonly #tableReader: TableReader;
  readonly #kinds = new Set<string>();
  #isUnbounded = false;

  constructor(tokens: readonly SqlToken[], dialect: SqlDialect) {
    const readStatement = (visible: Visible): void => this.#statement(visible);
    this.#dialect = dialect;
    this.#cursor = new SqlCursor(tokens, dialect);
    this.#expressions = new ExpressionReader(this.#cursor, readStatement);
    this.#tableReader = new TableReader(this.#cursor, this.#expressions, readStatement);
  }

  read(): SqlStatement | SqlUnread {
    const first = this.#cursor.tokens.find((token) => token.kind !== "sign" || token.text !== "(");
    const word = first?.kind === "word" ? first.upper : null;
    if (word === null) return sqlUnread("a statement that does not begin with a word");
    if (!["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"].includes(word)) this.#kinds.add(word.toLowerCase());
    else {
      this.#statement(NOTHING);
      if (this.#cursor.at < this.#cursor.tokens.length)
        this.#cursor.fail("a part of the statement that is not read");
    }
    if (this.#cursor.fault !== null) return sqlUnread(this.#cursor.fault);
    const { functions, attributes, values, usesRow } = this.#expressions;
    return {
      kinds: [...this.#kinds],
      functions: [...functions],
      attributes: [...attributes],
      usesRow: usesRow || [...values].some((name) => this.#tableReader.rows.has(name)),
      tables: this.#tableReader.tables,
      isUnbounded: this.#isUnbounded,
    };
  }

  /** Each is visible to those after it, and to itself when they are recursive. */
  #commonTables(outer: Visible): Visible {
    const isRecursive = this.#cursor.takeWord("RECURSIVE");
    const visible = new Map(outer);
    do {
      const name = this.#cursor.plainName();
      if (name === null) break;
      const own = name.toLowerCase();
      if (visible.has(own)) this.#cursor.fail("a name that is defined twice");
      if (this.#cursor.takeSign("(")) this.#cursor.nested(() => this.#cursor.columnList());
      if (!this.#cursor.takeWord("AS")) this.#cursor.fail("a common table expression without AS");
      if (this.#cursor.takeWord("NOT")) this.#cursor.takeWord("MATERIALIZED");
      else this.#cursor.takeWord("MATERIALIZED");
      this.#cursor.expectSign("(");
      if (isRecursive) visible.set(own, name);
      this.#cursor.nested(() => this.#statement(new Map(visible)));
      visible.set(own, name);
    } while (this.#cursor.takeSign(","));
    return visible;
  }

  #insert(visible: Visible): void {
    this.#cursor.at += 1;
    this.#kinds.add("insert");
    if (!this.#cursor.takeWord("INTO")) return this.#cursor.fail("an insert without INTO");
    this.#tableReader.readTarget();
    if (this.#cursor.isSign("(") && this.#cursor.word(1) !== "SELECT" && this.#cursor.word(1) !== "WITH") {
      this.#cursor.at += 1;
      this.#cursor.nested(() => this.#cursor.columnList());
    }
    if (this.#cursor.takeWord("DEFAULT")) this.#cursor.takeWord("VALUES");
    else if (this.#cursor.takeWord("VALUES")) this.#rows(visible);
    else this.#query(visible);
    this.#returning(visible);
  }

  #rows(visible: Visible): void {
    do {
      this.#cursor.expectSign("(");
      this.#cursor.nested(() => this.#expressions.read(visible));
    } while (this.#cursor.takeSign(","));
  }

  #update(visible: Visible): void {
    this.#cursor.at += 1;
    this.#kinds.add("update");
    this.#tableReader.readTarget();
    this.#tableReader.readAlias();
    if (!this.#cursor.takeWord("SET")) return this.#cursor.fail("an update without SET");
    this.#expressions.read(visible);
    this.#others("FROM", visible);
    this.#condition(visible);
    this.#returning(visible);
  }

  #delete(visible: Visible): void {
    this.#cursor.at += 1;
    this.#kinds.add("delete");
    if (!this.#cursor.takeWord("FROM")) return this.#cursor.fail("a delete without FROM");
    this.#tableReader.readTarget();
    this.#tableReader.readAlias();
    this.#others("USING", visible);
    this.#condition(visible);
    this.#returning(visible);
  }

  /** Other tables of an update or delete: a condition on them alone would leave no row out. */
  #others(keyword: string, visible: Visible): void {
    if (!this.#cursor.takeWord(keyword)) return;
    this.#isUnbounded = true;
    this.#tableReader.read(visible);
  }

  /** The condition of an update or delete. */
  #condition(visible: Visible): void {
    if (!this.#cursor.takeWord("WHERE")) {
      this.#isUnbounded = true;
      return;
    }
    const start = this.#cursor.at;
    this.#expressions.read(visible);
    const condition = this.#cursor.tokens.slice(start, this.#cursor.at);
    if (!isSurelyBounded(condition, this.#dialect)) this.#isUnbounded = true;
    this.#expressions.readClauses(["ORDER", "LIMIT"], visible);
  }

  #returning(visible: Visible): void {
    if (this.#cursor.takeWord("RETURNING")) this.#expressions.readList(visible);
  }

  #query(visible: Visible): void {
    do {
      if (this.#cursor.takeSign("(")) this.#cursor.nested(() => this.#statement(visible));
      else this.#select(visible);
      if (!this.#cursor.takeWord("UNION", "INTERSECT", "EXCEPT", "MINUS")) break;
      this.#cursor.takeWord("ALL", "DISTINCT");
    } while (this.#cursor.fault === null);
    this.#expressions.readClauses(LAST_CLAUSES, visible);
  }

  #select(visible: Visible): void {
    if (!this.#cursor.takeWord("SELECT")) return this.#cursor.fail("a place where SELECT was expected");
    this.#kinds.add("select");
    this.#expressions.readList(visible);
    if (this.#cursor.takeWord("FROM")) this.#tableReader.read(visible);
    if (this.#cursor.takeWord("WHERE")) this.#expressions.read(visible);
    this.#expressions.readClauses(["GROUP", "HAVING", "WINDOW"], visible);
  }

  /** A statement, or a query in parentheses, with the expressions that it defines. */
  #statement(outer: Visible): void {
    const visible = this.#cursor.takeWord("WITH") ? this.#commonTables(outer) : outer;
    switch (this.#cursor.word()) {
      case "INSERT":
        return this.#insert(visible);
      case "UPDATE":
        return this.#update(visible);
      case "DELETE":
        return this.#delete(visible);
      default:
        return this.#query(visible);
    }
  }
}
