import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { loadModule, parseSync } from "libpg-query";
import { beforeAll, describe, expect, it } from "vitest";
import { HOSTILE_SQL, sqlTexts } from "../testing/sql-texts.suite.ts";
import { isKnownFunction, judgeSql, type SqlTest } from "./judge-sql.ts";

const TEST: SqlTest = {
  dialect: "postgres",
  statements: ["select", "insert", "update", "delete"],
  tables: ["orders"],
  functions: [],
  columns: ["a", "b"],
  where: false,
  multiple: false,
};

const STATEMENTS: ReadonlySet<string> = new Set(["SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt"]);

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Types of PostgreSQL that a statement may name; others may be types of one's own. */
const TYPES =
  /^(?:int[248]|text|date|timetz|timestamp|timestamptz|time|bool|float[48]|numeric|varchar|bpchar|uuid|interval)$/;

/** Every node of a tree with the name of its kind. */
function* nodesOf(value: unknown): Generator<readonly [string, Node]> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each);
  if (!isNode(value)) return;
  for (const [kind, node] of Object.entries(value)) {
    if (isNode(node)) yield [kind, node];
    yield* nodesOf(node);
  }
}

const textsOf = (list: unknown): readonly string[] =>
  [...nodesOf(list)].flatMap(([kind, { sval }]) =>
    kind === "String" && typeof sval === "string" ? [sval] : [],
  );

/** What PostgreSQL's own parser sees in a text beyond the test; null for one that it does not take. */
function excess(text: string): readonly string[] | null {
  let tree: unknown;
  try {
    tree = parseSync(text);
  } catch {
    return null;
  }
  const nodes = [...nodesOf(tree)];
  const common = nodes.flatMap(([kind, { ctename }]) => (kind === "CommonTableExpr" ? [ctename] : []));
  return nodes.flatMap(([kind, node]) => {
    if (/^[A-Z]\w*Stmt$/.test(kind) && !STATEMENTS.has(kind)) return [kind];
    if (kind === "RangeVar" || kind === "relation")
      return node["relname"] === "orders" || common.includes(node["relname"])
        ? []
        : [`table ${String(node["relname"])}`];
    if (kind === "FuncCall") {
      const name = textsOf(node["funcname"])
        .filter((part) => part !== "pg_catalog")
        .join(".");
      return isKnownFunction(name, TEST) ? [] : [`function ${name}`];
    }
    if (kind === "typeName" || kind === "TypeName") {
      const name = textsOf(node["names"]).at(-1) ?? "";
      return TYPES.test(name) ? [] : [`type ${name}`];
    }
    if (kind === "intoClause" || kind === "lockingClause" || kind === "LockingClause") return [kind];
    const dotted = kind === "ColumnRef" ? textsOf(node["fields"]).slice(1) : [];
    const selected = kind === "A_Indirection" ? textsOf(node["indirection"]) : [];
    return [...dotted, ...selected].filter((name) => !["a", "b"].includes(name)).map((name) => `.${name}`);
  });
}

describe("a text that sql_only is sure of, as PostgreSQL's own parser reads it", () => {
  beforeAll(() => loadModule());

  it("sees what a rule would not permit", () => {
    expect(excess("SELECT o.wipe, f(1) FROM users o FOR UPDATE")).toEqual(
      expect.arrayContaining([".wipe", "function f", "table users", "LockingClause"]),
    );
    expect(excess("SELECT (o).wipe FROM orders o")).toEqual([".wipe"]);
    expect(excess("SELECT outer 'x'")).toEqual(["type outer"]);
    expect(excess("DROP TABLE orders")).toContain("DropStmt");
  });

  // proves POL-94
  it("has only listed statements, tables, functions and columns", { timeout: 1_800_000 }, () => {
    let parsed = 0;
    const check = (text: string): void => {
      if (judgeSql(text, TEST) !== "holds") return;
      const found = excess(text);
      if (found !== null) parsed += 1;
      expect({ text, found: found ?? [] }).toEqual({ text, found: [] });
    };
    for (const text of HOSTILE_SQL) check(text);
    fc.assert(fc.property(sqlTexts, check), { numRuns: runs(10_000, 500_000) });
    expect(parsed).toBeGreaterThan(100);
  });
});
