// peers: postgres
import { Client } from "pg";
import { expect, it } from "vitest";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { earlierKey, KEY_MIGRATION, migrationsBefore } from "../testing/earlier-keys.ts";

describePostgres("PostgreSQL keys from an earlier schema", (server) => {
  // proves AUTH-10
  it("keep working", async () => {
    const client = new Client({ connectionString: await server().createDatabase() });
    await client.connect();
    for (const { statements } of migrationsBefore(KEY_MIGRATION))
      for (const statement of statements.postgres) await client.query(statement);
    const insert =
      "INSERT INTO api_keys (id, org, role, secret_sha256, created_at) VALUES ($1, $2, $3, $4, $5)";
    const { id, org, role, digest, createdAt, expected } = earlierKey;
    await client.query(insert, [id, org, role, Buffer.from(digest, "hex"), createdAt]);
    for (const statement of KEY_MIGRATION.statements.postgres) await client.query(statement);
    const { rows } = await client.query<Record<string, string>>("SELECT * FROM keys");
    await client.end();
    expect(rows.map((row) => ({ ...row, record: JSON.parse(row["record"] ?? "") as unknown }))).toEqual([
      expected,
    ]);
  });
});
