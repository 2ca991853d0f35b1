import { DatabaseSync } from "node:sqlite";
import { migrate } from "../sql/migrate.ts";
import { kyselyOver } from "../sqlite/kysely-database.ts";

/** The schema of an empty store: made once, and copied for each test. */
const template = new DatabaseSync(":memory:");
await migrate({ db: kyselyOver(template), dialect: "sqlite", logId: "log" });
template.exec("DELETE FROM audit_logs");
const image = template.serialize();
template.close();

/** A new database in memory that holds the schema and no log. */
export function emptyDatabase(): DatabaseSync {
  const copy = new DatabaseSync(":memory:");
  copy.deserialize(image);
  return copy;
}
