import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { earlierKey, KEY_MIGRATION, migrationsBefore } from "../testing/earlier-keys.ts";

// proves AUTH-10
it("keys that were stored before they had roles and ends keep working", () => {
  const database = new DatabaseSync(":memory:");
  for (const { statements } of migrationsBefore(KEY_MIGRATION))
    for (const statement of statements.sqlite) database.exec(statement);
  const insert = "INSERT INTO api_keys (id, org, role, secret_sha256, created_at) VALUES (?, ?, ?, ?, ?)";
  const { id, org, role, digest, createdAt, expected } = earlierKey;
  database.prepare(insert).run(id, org, role, Buffer.from(digest, "hex"), createdAt);
  for (const statement of KEY_MIGRATION.statements.sqlite) database.exec(statement);
  const row = database.prepare("SELECT * FROM keys").get();
  expect({ ...row, record: JSON.parse(String(row?.["record"])) as unknown }).toEqual(expected);
});
