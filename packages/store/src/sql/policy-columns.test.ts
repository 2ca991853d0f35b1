import { DatabaseSync } from "node:sqlite";
import { ANY_POLICY } from "@svc/contract/policy-list";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { kyselyOver } from "../sqlite/kysely-database.ts";
import { listPolicies } from "./list-policies.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { readPolicy } from "./policy-rows.ts";

/** The last schema whose policies had no state of their own. */
const BEFORE = 6;

// proves POL-62
it("a policy that an earlier build stored is found by what it says, and is enabled", async () => {
  const connection = new DatabaseSync(":memory:");
  onTestFinished(() => connection.close());
  const db = kyselyOver(connection);
  for (const { version, statements } of MIGRATIONS) {
    if (version > BEFORE) continue;
    for (const statement of statements.sqlite) connection.exec(statement);
  }
  await sql`CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL)`.execute(db);
  await sql`INSERT INTO schema_migrations VALUES (${BEFORE}, 'before')`.execute(db);
  const record = {
    id: "p",
    version: 2,
    enabled: true,
    name: "\u00c4rger",
    document: { id: "p", governance_mode: "shadow" },
    created_at: "t",
    created_by: "k",
    rolled_back_to: null,
  };
  connection.exec("INSERT INTO policies (org, id, latest_version) VALUES ('org', 'p', 2)");
  connection
    .prepare(
      "INSERT INTO policy_versions (org, id, version, record, source, media_type) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run("org", "p", 2, JSON.stringify(record), "id: p", "application/yaml");

  await migrate({ db, dialect: "sqlite", logId: "log" });

  const filter = { ...ANY_POLICY, mode: "shadow", text: "\u00e4RGER", enabled: true } as const;
  const { document: _document, ...item } = record;
  expect(
    await listPolicies({ db, dialect: "sqlite" }, { org: "org", filter, page: { limit: 5, after: null } }),
  ).toEqual({
    items: [{ ...item, archived: false, labels: {}, mode: "shadow", why: null }],
    next: null,
  });
  expect((await readPolicy(db, "org", "p"))?.record).toEqual({
    ...record,
    archived: false,
    labels: {},
    why: null,
  });
});
