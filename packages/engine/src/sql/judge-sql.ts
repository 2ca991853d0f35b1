import type { JsonValue } from "@svc/text/json-value";
import type { SqlDialect } from "./sql-dialect.ts";
import { readSql, type SqlStatement } from "./sql-reader.ts";
import type { SqlName } from "./sql-tables.ts";
import { SAFE_FUNCTIONS } from "./sql-words.ts";

/** What an `sql_only` condition permits. Plain data. */
export interface SqlTest {
  readonly dialect: SqlDialect;
  readonly statements: readonly string[];
  /** As written, such as `orders` or `sales.orders`. Null: every table. */
  readonly tables: readonly string[] | null;
  /** In lower case, beside those that only compute. */
  readonly functions: readonly string[];
  /** Columns that statements may name after a dot, as the database folds them. */
  readonly columns: readonly string[];
  /** Whether each update and delete must have a condition that leaves rows out. */
  readonly where: boolean;
  /** Whether a text may hold several statements. */
  readonly multiple: boolean;
}

export type SqlTruth = "holds" | "fails" | "unsure";

/** Whether a text of SQL surely does no more than the test permits. */
export function judgeSql(value: JsonValue, test: SqlTest): SqlTruth {
  if (typeof value !== "string") return "unsure";
  const read = readSql(value, test.dialect);
  if (read.kind === "unread") return "unsure";
  const { statements } = read;
  if (statements.length === 0 || (statements.length > 1 && !test.multiple)) return "fails";
  const truths = statements.map((statement) => judgeStatement(statement, test));
  if (truths.includes("fails")) return "fails";
  return truths.includes("unsure") ? "unsure" : "holds";
}

function judgeStatement(statement: SqlStatement, test: SqlTest): SqlTruth {
  if (!statement.kinds.every((kind) => test.statements.includes(kind))) return "fails";
  const truths = statement.tables.map((table) => judgeTable(table, test));
  if (truths.includes("fails")) return "fails";
  const isKnown = statement.functions.every((name) => isKnownFunction(name, test));
  if (
    !isKnown ||
    callsByDot(statement, test) ||
    (test.where && statement.isUnbounded) ||
    truths.includes("unsure")
  )
    return "unsure";
  return "holds";
}

export function isKnownFunction(name: string, { functions }: SqlTest): boolean {
  return SAFE_FUNCTIONS.has(name) || functions.includes(name);
}

/**
 * Whether an expression may call a function without a parenthesis: in PostgreSQL `a.f` is `f(a)` where the
 * row `a` has no column `f`, and a whole row is a value that operators and functions take.
 */
export function callsByDot({ attributes, usesRow }: SqlStatement, { dialect, columns }: SqlTest): boolean {
  if (dialect === "mysql" || dialect === "sqlite") return false;
  return usesRow || !attributes.every((name) => columns.includes(name));
}

/** Without its schema a name may be a table of another one, so a name is listed as it is written. */
function judgeTable({ parts }: SqlName, { tables }: SqlTest): SqlTruth {
  if (tables === null) return "holds";
  const name = parts.join(".");
  if (parts.every((part) => !part.includes(".")) && tables.includes(name)) return "holds";
  const last = (parts.at(-1) ?? "").toLowerCase();
  return tables.some((table) => table.slice(table.lastIndexOf(".") + 1).toLowerCase() === last)
    ? "unsure"
    : "fails";
}
