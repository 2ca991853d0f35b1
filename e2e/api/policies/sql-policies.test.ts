// peers: postgres
import { constants, DatabaseSync } from "node:sqlite";
import { compilePolicy } from "@svc/engine/testing/compile-policy";
import { HOSTILE_SQL, sqlTexts } from "@svc/engine/testing/sql-texts";
import { freshDatabase } from "@svc/store/testing/shared-postgres";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const TEXTS = runs(10_000, 500_000);

const READ = { statements: ["select"], where: false } as const;
const WRITE = { statements: ["select", "insert", "update", "delete"], where: true } as const;

/** Whether a rule that permits `test` allows a text. */
function isSureOf(dialect: "postgres" | "sqlite", { statements, where }: typeof READ | typeof WRITE) {
  const value = {
    dialect,
    statements,
    tables: ["orders"],
    columns: ["a", "b"],
    ...(where ? { where: "required" } : {}),
  };
  const condition = { field: "args.query", operator: "sql_only", value };
  const rules = [{ id: "r", match: { condition }, action: "allow" }];
  const result = compilePolicy(JSON.stringify({ id: "p", rules }));
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  const who = { agentId: "a", sessionId: null, namespace: "default", tool: "t", timeMs: 0 };
  const rest = { costMicroUsd: null, costIsTrusted: true, context: { usage: null } };
  return (query: string): boolean =>
    result.policy.evaluate({ ...who, ...rest, args: { query } }).decision === "allow";
}

function sample(): readonly string[] {
  return [...HOSTILE_SQL, ...fc.sample(sqlTexts, { numRuns: TEXTS, seed: 7 })];
}

/** Functions that no rule lists. PostgreSQL calls those that take a row for a name after a dot, too. */
const FUNCTIONS = ["filter", "over", "escape", "xor", "text", "uuid", '"by"', '"like"', '"is"', "wipe"];

/** Each form of a function fails as a table without rights does. */
function makeFunction(name: string): string {
  const body = "LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'called' USING ERRCODE = '42501'; END $$;";
  return ["int", "text", "orders", "int, int", "text, text"]
    .map((types) => `CREATE FUNCTION ${name}(${types}) RETURNS boolean ${body}`)
    .join("\n");
}

describe("a statement that is surely within does nothing else", () => {
  describe("in PostgreSQL, as a role that may do only what the rule names", () => {
    let client: pg.Client;

    beforeAll(async () => {
      client = new pg.Client({ connectionString: await freshDatabase() });
      await client.connect();
      await client.query(`
        CREATE TABLE orders (a int, b text);
        CREATE TABLE users (a int, b text);
        CREATE SEQUENCE s;
        INSERT INTO orders VALUES (1, 'x'), (2, 'y');
        CREATE ROLE reader;
        CREATE ROLE writer;
        GRANT SELECT ON orders TO reader;
        GRANT SELECT, INSERT, UPDATE, DELETE ON orders TO writer;
        ${FUNCTIONS.map(makeFunction).join("\n")}
        REVOKE EXECUTE ON FUNCTION pg_sleep(double precision), set_config(text, text, boolean) FROM public;
        SET statement_timeout = '2s';
      `);
    }, 60_000);

    afterAll(async () => {
      await client.end();
    });

    /** 42501: no right to it. 25006: a write in a transaction that only reads. */
    async function outcome(text: string, role: string, mode: string): Promise<"ran" | "refused" | "invalid"> {
      await client.query(`BEGIN ${mode}; SET LOCAL ROLE ${role}`);
      try {
        await client.query(text);
        // Every condition that is generated leaves this row out.
        const left = await client.query("SELECT 1 FROM orders WHERE a = 2 AND b = 'y'");
        return left.rowCount === 0 ? "refused" : "ran";
      } catch (error) {
        const code = error instanceof pg.DatabaseError ? error.code : null;
        return code === "42501" || code === "25006" || code === null ? "refused" : "invalid";
      } finally {
        await client.query("ROLLBACK");
      }
    }

    // proves POL-94
    it.each([
      { test: READ, role: "reader", mode: "READ ONLY" },
      { test: WRITE, role: "writer", mode: "READ WRITE" },
    ])("for $role", async ({ test, role, mode }) => {
      const sure = sample().filter(isSureOf("postgres", test));
      let ran = 0;
      for (const text of sure) {
        const found = await outcome(text, role, mode);
        expect(found, `what became of ${text}`).not.toBe("refused");
        if (found === "ran") ran += 1;
      }
      expect(ran).toBeGreaterThan(50);
    });
  });

  describe("in SQLite, as its authorizer sees it", () => {
    const database = new DatabaseSync(":memory:");
    database.exec(
      "CREATE TABLE orders (a int, b text); CREATE TABLE users (a int, b text); " +
        "INSERT INTO orders VALUES (1, 'x')",
    );

    /** Functions that no rule lists, with names that are keywords elsewhere. */
    const own = ["any", "some", "offset", "filter", "over"];
    for (const name of own) database.function(name, { varargs: true }, () => 1);

    /** What a statement would do beyond the rule; empty also for one that does not compile. */
    function excess(text: string, mayWrite: boolean): readonly string[] {
      const found: string[] = [];
      database.setAuthorizer((action, first, second) => {
        const writes = [constants.SQLITE_INSERT, constants.SQLITE_UPDATE, constants.SQLITE_DELETE];
        const isRead =
          action === constants.SQLITE_READ &&
          (first === "orders" || first === "" || first?.startsWith("x") === true);
        const isWrite = mayWrite && writes.includes(action) && first === "orders";
        const isPlain =
          action === constants.SQLITE_SELECT ||
          action === constants.SQLITE_RECURSIVE ||
          (action === constants.SQLITE_FUNCTION && !own.includes(second?.toLowerCase() ?? ""));
        if (!isRead && !isWrite && !isPlain) found.push([action, first, second].join(" "));
        return constants.SQLITE_OK;
      });
      try {
        database.prepare(text);
        return found;
      } catch {
        return [];
      } finally {
        database.setAuthorizer(null);
      }
    }

    // proves POL-94
    it.each([
      { test: READ, mayWrite: false },
      { test: WRITE, mayWrite: true },
    ])("writes: $mayWrite", ({ test, mayWrite }) => {
      const sure = sample().filter(isSureOf("sqlite", test));
      for (const text of sure)
        expect(excess(text, mayWrite), `what ${text} does beyond the rule`).toEqual([]);
      expect(sure.length).toBeGreaterThan(50);
    });
  });
}, 300_000);
