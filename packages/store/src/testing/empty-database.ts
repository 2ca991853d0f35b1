import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { migrate } from "../sql/migrate.ts";
import { kyselyOver } from "../sqlite/kysely-database.ts";

/** The schema of an empty store: made once, and copied for each test. */
const template = new DatabaseSync(":memory:");
await migrate({ db: kyselyOver(template), dialect: "sqlite", logId: "log" });
const objects = template.prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").all();
template.exec("DELETE FROM audit_logs");

/** A new database in memory that holds the schema and no log. */
export function emptyDatabase(): DatabaseSync {
  const copy = new DatabaseSync(":memory:");
  copy.exec(objects.map(({ sql }) => String(sql)).join(";"));
  for (const { type, name } of objects) {
    if (type === "table") copyRows(copy, String(name));
  }
  return copy;
}

function copyRows(copy: DatabaseSync, table: string): void {
  for (const row of template.prepare(`SELECT * FROM ${table}`).all()) {
    const values = Object.values(row) as SQLInputValue[];
    const marks = values.map(() => "?").join(", ");
    copy.prepare(`INSERT INTO ${table} VALUES (${marks})`).run(...values);
  }
}
