import { MIGRATIONS, type Migration } from "../sql/migrations.ts";

/** The step of the schema that gave keys roles, bindings and ends. */
export const KEY_MIGRATION: Migration = migrationNamed(
  "keys with roles, bindings, expiry and several secrets",
);

export function migrationsBefore({ version }: Migration): readonly Migration[] {
  return MIGRATIONS.filter((migration) => migration.version < version);
}

function migrationNamed(name: string): Migration {
  const found = MIGRATIONS.find((migration) => migration.name === name);
  if (found === undefined) throw new Error(`expected a migration "${name}"`);
  return found;
}

const created_at = "2026-01-02T03:04:05.678Z";
const digest = "0123456789abcdef".repeat(4);

/** A key as it was stored before, and its row afterwards. */
export const earlierKey = {
  id: "first",
  org: "default",
  role: "admin",
  digest,
  createdAt: created_at,
  expected: {
    id: "first",
    org: "default",
    origin: "bootstrap",
    status: "active",
    record: {
      id: "first",
      org: "default",
      name: "bootstrap",
      role: "admin",
      agents: null,
      namespaces: null,
      origin: "bootstrap",
      created_at,
      created_by: "bootstrap",
      expires_at: null,
      revoked_at: null,
      revoked_by: null,
      secrets: [{ digest, created_at, expires_at: null }],
    },
  },
};
