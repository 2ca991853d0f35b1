import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { describeSql } from "../sql/describe-sql.ts";
import { judgeSql, type SqlTest } from "../sql/judge-sql.ts";
import { expectSqlTest, SQL_SCHEMA } from "../validate/expect-sql.ts";
import { sortedList } from "./comparable-values.ts";
import { defineOperator, type Judge } from "./operator.ts";

/** Work per character: to split a text into statements, and to read them. */
const SQL_WEIGHT = 16;

export const sqlOnly = defineOperator<SqlTest>({
  name: "sql_only",
  summary: "is SQL that does no more than the value says",
  judges: ["args"],
  validate: ({ value }, reporter) => expectSqlTest(value, reporter),
  valueSchema: () => SQL_SCHEMA,
  compile:
    (test): Judge =>
    (value, work) => {
      if (typeof value !== "string") return "unsure";
      return work.spend(value.length, SQL_WEIGHT) ? judgeSql(value, test) : "unread";
    },
  show: (test) => shown(test),
  describe: (test, value) => describeSql(value, test),
  comparable: comparableTest,
});

function shown({ dialect, statements, tables, functions, columns, where, multiple }: SqlTest): JsonObject {
  return {
    dialect,
    statements,
    ...(tables === null ? {} : { tables }),
    ...(functions.length === 0 ? {} : { functions }),
    ...(columns.length === 0 ? {} : { columns }),
    ...(where ? { where: "required" } : {}),
    ...(multiple ? { multiple: "allow" } : {}),
  };
}

function comparableTest(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { dialect, ...rest } = value;
  const members = Object.entries(rest).map(([key, member]) => [key, sortedList(member)] as const);
  return { dialect: dialect ?? "any", ...Object.fromEntries(members) };
}
