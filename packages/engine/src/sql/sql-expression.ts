import { wordList } from "../word-list.ts";
import type { SqlCursor } from "./sql-cursor.ts";
import type { SqlToken } from "./sql-lexer.ts";
import { AFTER_CALLS, BEFORE_BY, MAY_BE_TYPES, RESERVED, TYPES_OF_TEXTS, UNREAD_WORDS } from "./sql-words.ts";

/** The common table expressions that a query sees, by their names in lower case. */
export type Visible = ReadonlyMap<string, string>;

export const NOTHING: Visible = new Map();

/** Reads a statement or query in parentheses, where an expression or a list of tables holds one. */
export type ReadStatement = (visible: Visible) => void;

export const LAST_CLAUSES = ["ORDER", "LIMIT", "OFFSET", "FETCH"];

/** Words that end an expression: the next clause, or a join after its condition. */
const ENDS: ReadonlySet<string> = new Set([
  ...wordList("WHERE UNION INTERSECT EXCEPT MINUS JOIN NATURAL FULL INNER CROSS"),
  ...wordList("RETURNING GROUP HAVING WINDOW"),
  ...LAST_CLAUSES,
]);

/** Words that part an expression, or end it in some places. */
const AFTER_DOT: ReadonlySet<string> = new Set(
  wordList("FROM LEFT RIGHT AND OR XOR NOT BETWEEN CASE SELECT WITH"),
);

/** Reads expressions: what stands between the keywords of clauses. */
export class ExpressionReader {
  readonly #cursor: SqlCursor;
  readonly #readStatement: ReadStatement;
  /** Names of functions in lower case, with their schema if one is written. */
  readonly functions = new Set<string>();
  /** What stands after a dot, in lower case unless it is quoted: a column, or a function of a row. */
  readonly attributes = new Set<string>();
  /** Names without a dot that are used as values, in lower case. */
  readonly values = new Set<string>();
  /** Whether all columns of a row are one value, as in `f(a.*)`. */
  usesRow = false;
  /** Whether the list of columns of a query is read, outside of parentheses. */
  #isList = false;

  constructor(cursor: SqlCursor, readStatement: ReadStatement) {
    this.#cursor = cursor;
    this.#readStatement = readStatement;
  }

  /** Everything up to the next clause: values, operators, functions, groups and subqueries. */
  read(visible: Visible, endsAtComma = false): void {
    for (let token = this.#cursor.peek(); token !== undefined; token = this.#cursor.peek()) {
      if (token.kind === "sign" && token.text === ")") return;
      if (token.kind === "sign" && token.text === "(") this.#group(visible);
      else if (token.kind === "sign" && token.text === "::") this.#cast();
      // In the condition of a join, a comma begins the next table.
      else if (token.kind === "sign" && token.text === "," && endsAtComma) return;
      else if (token.kind === "word" && this.#isKeywordAfterDot(token.upper))
        this.#cursor.fail("a keyword after a dot");
      else if (token.kind === "word" && this.#isOffsetFunction(token.upper))
        this.#cursor.fail("OFFSET where a function may stand");
      else if (token.kind === "word" && this.#endsExpression(token.upper)) return;
      else if (token.kind === "word" && this.#isUnread(token.upper))
        this.#cursor.fail(`the word ${token.upper}`);
      else this.#readName(token);
    }
  }

  readClauses(words: readonly string[], visible: Visible): void {
    while (this.#cursor.takeWord(...words)) this.read(visible);
  }

  #endsExpression(word: string): boolean {
    if (word === "FROM") return !this.#isDistinctFrom(word);
    if (word === "LEFT" || word === "RIGHT") return !this.#cursor.isSign("(", 1);
    return ENDS.has(word);
  }

  /** PostgreSQL takes any word there for a column or a function, other databases for the keyword. */
  #isKeywordAfterDot(word: string): boolean {
    return this.#cursor.isSign(".", -1) && (ENDS.has(word) || AFTER_DOT.has(word) || UNREAD_WORDS.has(word));
  }

  /** SQLite has functions of this name where no value stands before it. */
  #isOffsetFunction(word: string): boolean {
    if (word !== "OFFSET" || !this.#cursor.isSign("(", 1)) return false;
    return !this.#cursor.followsValue(0) && !["ALL", "ASC", "DESC"].includes(this.#cursor.word(-1));
  }

  #isUnread(word: string): boolean {
    return UNREAD_WORDS.has(word) && word !== "FROM" && !this.#cursor.isPlainWord(word);
  }

  #isDistinctFrom(word: string): boolean {
    if (word !== "FROM" || this.#cursor.word(-1) !== "DISTINCT") return false;
    if (this.#cursor.isSign(".", -3)) return false;
    return (
      this.#cursor.word(-2) === "IS" || (this.#cursor.word(-2) === "NOT" && this.#cursor.word(-3) === "IS")
    );
  }

  /** A name or keyword, with the checks of what may follow it. */
  #readName(token: SqlToken): void {
    const next = this.#cursor.peek(1);
    if (token.kind === "word" && next?.kind === "value" && this.#mayBeType(token.upper))
      this.#cursor.fail("a name before a value");
    const isText = next?.kind === "value" && token.kind === "word" && !RESERVED.has(token.upper);
    if (isText && !TYPES_OF_TEXTS.has(token.upper)) this.#cursor.fail("a name before a value");
    if (token.kind === "quoted" && next?.kind === "value") this.#cursor.fail("a name before a value");
    if (token.kind === "word" && ["IN", "ANY", "SOME", "ALL", "EXISTS"].includes(token.upper))
      this.#readSet(token.upper);
    this.#noteUse(token);
    this.#cursor.at += 1;
  }

  /** PostgreSQL reads `a.f` as `f(a)` where `a` is a row without a column of that name. */
  #noteUse(token: SqlToken): void {
    if (token.kind === "sign" && token.text === "*" && this.#cursor.isSign(".", -1) && !this.#isListed())
      this.usesRow = true;
    if (token.kind === "value" || token.kind === "sign" || this.#cursor.isSign("(", 1)) return;
    if (this.#cursor.isSign(".", 1) && !this.#isField()) return;
    const name = token.kind === "quoted" ? token.text : token.text.toLowerCase();
    if (this.#cursor.isSign(".", -1)) this.attributes.add(name);
    else if (this.#cursor.word(-1) !== "AS") this.values.add(name.toLowerCase());
  }

  /** Whether a name is one of a value in parentheses, such as `b` of `(a).b.c`. */
  #isField(): boolean {
    let at = -1;
    while (this.#cursor.isSign(".", at) && !this.#cursor.isSign(")", at - 1)) at -= 2;
    return this.#cursor.isSign(".", at);
  }

  /** For PostgreSQL a word before a text may be a type, where it is neither an operator nor a keyword. */
  #mayBeType(word: string): boolean {
    if (word === "BY") return !BEFORE_BY.has(this.#cursor.word(-1));
    return MAY_BE_TYPES.has(word) && !this.#cursor.followsValue(0);
  }

  /** Reads the list of columns of a query, in which `a.*` stands for columns. */
  readList(visible: Visible): void {
    this.#isList = true;
    this.read(visible);
    this.#isList = false;
  }

  /** Whether `a.*` is an item of a list of columns. */
  #isListed(): boolean {
    let start = -1;
    while (this.#cursor.isSign(".", start)) start -= 2;
    const isFirst = ["SELECT", "DISTINCT", "ALL", "RETURNING"].includes(this.#cursor.word(start));
    if (!this.#isList || !(isFirst || this.#cursor.isSign(",", start))) return false;
    const after = this.#cursor.peek(1);
    return after === undefined || this.#cursor.isSign(",", 1) || this.#cursor.word(1) === "FROM";
  }

  /** SQLite takes a table after IN, without parentheses. */
  #readSet(word: string): void {
    const isAllRows = word === "ALL" && ["SELECT"].includes(this.#cursor.word(-1));
    if (!this.#cursor.isSign("(", 1) && !isAllRows) this.#cursor.fail(`${word} without a parenthesis`);
  }

  #cast(): void {
    this.#cursor.at += 1;
    if (!this.#cursor.isPlainType(this.#cursor.word()))
      return this.#cursor.fail("a cast to a type that is not plain");
    this.#cursor.at += 1;
    if (this.#cursor.takeSign("(")) this.#cursor.nested(() => this.read(NOTHING));
  }

  #group(visible: Visible): void {
    const before = this.#cursor.peek(-1);
    const name = this.#functionBefore();
    this.#cursor.at += 1;
    const isList = this.#isList;
    this.#isList = false;
    this.#readGroup(name, before, visible);
    this.#isList = isList;
  }

  #readGroup(name: string | null, before: SqlToken | undefined, visible: Visible): void {
    if (["SELECT", "WITH"].includes(this.#cursor.word()) && name === null)
      return this.#cursor.nested(() => this.#readStatement(visible));
    if (before?.kind === "quoted" || before?.kind === "value")
      return this.#cursor.fail("a parenthesis after a value");
    if (name !== null && this.#isUnreadFunction(name)) return;
    const start = this.#cursor.at;
    this.#cursor.nested(() => {
      this.read(visible);
      this.readClauses(["ORDER", "LIMIT"], visible);
    });
    if (name === "cast" && !this.#isPlainCast(start)) this.#cursor.fail("a cast to a type that is not plain");
    if (name !== null && this.#isTypeOfText(name)) this.#cursor.fail("a name before a value");
    if (name !== null || (before?.kind === "word" && AFTER_CALLS.has(before.upper))) this.#cursor.endCall();
  }

  /** PostgreSQL takes `f(1) 'x'` for a text of the type `f`, MySQL `'x'` for the name of a column. */
  #isTypeOfText(name: string): boolean {
    const isText = this.#cursor.peek()?.kind === "value" && this.#cursor.mayBePostgres;
    return isText && !TYPES_OF_TEXTS.has(name.toUpperCase());
  }

  /** The name before a parenthesis when it is a function, in lower case. */
  #functionBefore(): string | null {
    const before = this.#cursor.peek(-1);
    return before?.kind === "word" && this.#cursor.isCalled() ? before.text.toLowerCase() : null;
  }

  #isUnreadFunction(name: string): boolean {
    const isQualified = this.#cursor.isSign(".", -3);
    const schema = this.#cursor.peek(-4);
    if (isQualified && schema?.kind !== "word") this.#cursor.fail("a function with a quoted schema");
    else
      this.functions.add(
        isQualified && schema?.kind === "word" ? `${schema.text.toLowerCase()}.${name}` : name,
      );
    return this.#cursor.fault !== null;
  }

  #isPlainCast(start: number): boolean {
    const tokens = this.#cursor.tokens.slice(start, this.#cursor.at);
    const types = tokens.flatMap((token, at) => {
      const next = tokens[at + 1];
      return token.kind === "word" && token.upper === "AS" ? [next?.kind === "word" ? next.upper : ""] : [];
    });
    return types.length > 0 && types.every((type) => this.#cursor.isPlainType(type));
  }
}
