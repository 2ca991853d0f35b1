import type { JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { dataFile } from "../testing/data-files.suite.ts";
import { judgeSql, type SqlTest } from "./judge-sql.ts";
import { SQL_DIALECTS, type SqlDialect } from "./sql-dialect.ts";

interface SqlCases {
  readonly value: {
    readonly dialect?: SqlDialect;
    readonly statements: readonly string[];
    readonly tables?: readonly string[];
    readonly functions?: readonly string[];
    readonly columns?: readonly string[];
    readonly where?: "required";
    readonly multiple?: "allow";
  };
  readonly holds?: readonly JsonValue[];
  readonly fails?: readonly JsonValue[];
  readonly unsure?: readonly JsonValue[];
}

function testOf({
  dialect,
  statements,
  tables,
  functions,
  columns,
  where,
  multiple,
}: SqlCases["value"]): SqlTest {
  return {
    dialect: dialect ?? "any",
    statements,
    tables: tables ?? null,
    functions: functions ?? [],
    columns: columns ?? [],
    where: where === "required",
    multiple: multiple === "allow",
  };
}

const cases = dataFile<SqlCases[]>("sql.yaml").flatMap((group) =>
  (["holds", "fails", "unsure"] as const).flatMap((truth) =>
    (group[truth] ?? []).map((found) => ({ test: testOf(group.value), truth, found })),
  ),
);

const hostile = dataFile<string[]>("sql-hostile.yaml");

describe("sql_only", () => {
  // proves POL-93
  it.each(cases)("$test.dialect $test.statements: $found $truth", ({ test, truth, found }) => {
    expect(judgeSql(found, test)).toBe(truth);
  });

  // proves POL-94
  it.each(hostile)("is never sure of %s", (text) => {
    for (const dialect of SQL_DIALECTS) {
      const test = testOf({ dialect, statements: ["select"], tables: ["orders"] });
      expect([dialect, judgeSql(text, test)]).not.toEqual([dialect, "holds"]);
    }
  });

  it("has at least 150 hostile statements", () => {
    expect(new Set(hostile).size).toBeGreaterThanOrEqual(150);
  });
});
