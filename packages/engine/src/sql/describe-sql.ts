import type { JsonValue } from "@svc/text/json-value";
import type { ValueReading } from "../operators/value-reading.ts";
import { callsByDot, isKnownFunction, type SqlTest } from "./judge-sql.ts";
import { readSql, type SqlStatement } from "./sql-reader.ts";

/** Null for a value that is not a text. */
export function describeSql(value: JsonValue, test: SqlTest): ValueReading | null {
  if (typeof value !== "string") return null;
  const read = readSql(value, test.dialect);
  if (read.kind === "unread") return { read: [], doubt: read.because };
  return { read: read.statements.map(describeStatement), doubt: doubtOf(read.statements, test) };
}

function describeStatement({ kinds, tables, functions }: SqlStatement): string {
  const names = tables.map(({ parts }) => parts.join("."));
  const on = names.length === 0 ? "" : ` on ${names.join(", ")}`;
  return `${kinds.join(", ")}${on}${functions.length === 0 ? "" : ` with ${functions.join(", ")}`}`;
}

function doubtOf(statements: readonly SqlStatement[], test: SqlTest): string | null {
  if (statements.some(({ functions }) => !functions.every((name) => isKnownFunction(name, test))))
    return "a function that is not listed";
  if (statements.some((statement) => callsByDot(statement, test)))
    return "a name after a dot, or of a whole row, that is not in columns: PostgreSQL may call a function";
  if (test.where && statements.some(({ isUnbounded }) => isUnbounded))
    return "an update or delete without a condition that compares a column with a value";
  return null;
}
