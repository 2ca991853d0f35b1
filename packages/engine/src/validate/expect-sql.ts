import type { JsonObject } from "@svc/text/json-value";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import type { SqlTest } from "../sql/judge-sql.ts";
import { SQL_DIALECTS, type SqlDialect } from "../sql/sql-dialect.ts";
import { READ_STATEMENTS } from "../sql/sql-reader.ts";
import {
  expectFilledList,
  expectMembers,
  expectName,
  expectText,
  type Members,
  type MissingKey,
  missingKey,
  refuse,
} from "./expect.ts";
import { expectOneOrMore, oneOrMoreSchema } from "./expect-value.ts";
import { namesSchema } from "./explain-name.ts";
import { placeSchema, valuesSchema } from "./json-schema.ts";

/** Most tables and functions of one condition. */
const MAX_NAMES = 200;

const MISSING_STATEMENTS: MissingKey = {
  place: "sql",
  key: "statements",
  expected: `a list of ${READ_STATEMENTS.join(", ")}`,
  fix: "add the statements that are permitted, such as statements: [select]",
};

const DIALECTS = {
  kind: "dialect of SQL",
  names: SQL_DIALECTS,
  synonyms: new Map<string, SqlDialect>([
    ["postgresql", "postgres"],
    ["pg", "postgres"],
    ["mariadb", "mysql"],
    ["sqlite3", "sqlite"],
  ]),
} as const;

const STATEMENTS = {
  kind: "statement",
  names: READ_STATEMENTS,
  synonyms: new Map([["read", "select"]]),
} as const;
const REQUIRED = { kind: "demand on WHERE", names: ["required"], synonyms: new Map() } as const;
const ALLOWED = { kind: "number of statements", names: ["allow"], synonyms: new Map() } as const;

const SQL_NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
const NAMES_SCHEMA = valuesSchema({ type: "string", pattern: SQL_NAME.source }, MAX_NAMES);
/** One name: a statement may write any alias before its dot. */
const COLUMN_NAME = /^[A-Za-z_]\w*$/;
const COLUMNS_SCHEMA = valuesSchema({ type: "string", pattern: COLUMN_NAME.source }, MAX_NAMES);

/** Schema of `expectSqlTest`. */
export const SQL_SCHEMA: JsonObject = placeSchema(
  "sql",
  {
    dialect: namesSchema(DIALECTS),
    statements: oneOrMoreSchema(namesSchema(STATEMENTS)),
    tables: NAMES_SCHEMA,
    functions: NAMES_SCHEMA,
    columns: COLUMNS_SCHEMA,
    where: namesSchema(REQUIRED),
    multiple: namesSchema(ALLOWED),
  },
  { required: ["statements"] },
);

export function expectSqlTest(node: SourceNode, reporter: Reporter): SqlTest | null {
  const members = expectMembers(node, "sql", reporter);
  if (members === null) return null;
  const statementsNode = members.get("statements");
  const statements =
    statementsNode === undefined
      ? missingKey(node, MISSING_STATEMENTS, reporter)
      : expectOneOrMore(statementsNode, (item) => expectName(item, STATEMENTS, reporter), reporter);
  const dialect = nameAt(members, "dialect", DIALECTS, reporter);
  const where = nameAt(members, "where", REQUIRED, reporter);
  const multiple = nameAt(members, "multiple", ALLOWED, reporter);
  const tables = namesAt(members, "tables", reporter);
  const functions = namesAt(members, "functions", reporter);
  const columns = namesAt(members, "columns", reporter);
  if (statements === null || tables === null || functions === null || columns === null) return null;
  if (dialect === null || where === null || multiple === null) return null;
  return {
    dialect: dialect ?? "any",
    statements,
    tables: tables ?? null,
    functions: (functions ?? []).map((name) => name.toLowerCase()),
    columns: columns ?? [],
    where: where !== undefined,
    multiple: multiple !== undefined,
  };
}

/** Undefined: the key is absent. Null exactly when an error was reported. */
function nameAt<Name extends string>(
  members: Members,
  key: string,
  list: Parameters<typeof expectName<Name>>[1],
  reporter: Reporter,
): Name | null | undefined {
  const node = members.get(key);
  return node === undefined ? undefined : expectName(node, list, reporter);
}

function namesAt(members: Members, key: string, reporter: Reporter): readonly string[] | null | undefined {
  const node = members.get(key);
  if (node === undefined) return undefined;
  const list = expectFilledList(node, { expected: `a list of names of ${key}`, most: MAX_NAMES }, reporter);
  if (list === null) return null;
  const expectEach = key === "columns" ? expectColumn : expectSqlName;
  const names = list.items.flatMap((item) => expectEach(item, reporter) ?? []);
  return names.length === list.items.length ? names : null;
}

function expectSqlName(node: SourceNode, reporter: Reporter): string | null {
  const name = expectText(node, "a name, such as orders or sales.orders", reporter);
  if (name === null || SQL_NAME.test(name)) return name;
  return refuse("policy/invalid-value", node, reporter, {
    message: `${quoteShort(name)} is not a plain name`,
    expected: "a name of letters, digits and _, with its schema before a dot if statements write it so",
    fix: /[*]/.test(name)
      ? "name each table: * stands for nothing here"
      : "write the name without quotes and spaces",
  });
}

function expectColumn(node: SourceNode, reporter: Reporter): string | null {
  const name = expectText(node, "a name of a column, such as total", reporter);
  if (name === null || COLUMN_NAME.test(name)) return name;
  return refuse("policy/invalid-value", node, reporter, {
    message: `${quoteShort(name)} is not the name of a column`,
    expected: "one name of letters, digits and _",
    fix: name.includes("*")
      ? "name each column: PostgreSQL calls a function where no column has the name after a dot"
      : "write the name without its table, quotes and spaces: it counts after each alias",
  });
}
