import type { Selectable } from "kysely";
import type { KeyStore, StoredKey } from "../ports/key-store.ts";
import { appendAuditRows } from "./append-audit-rows.ts";
import { inTransaction, type StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

export function createKeyStore(context: StoreContext): KeyStore {
  return {
    keys: async () => {
      const rows = await context.db.selectFrom("api_keys").selectAll().orderBy("id").execute();
      return rows.map(storedKey);
    },
    createKey: async (key, auditRow) =>
      inTransaction(context, async (inside) => {
        const inserted = await inside.trx
          .insertInto("api_keys")
          .values(keyRow(key))
          .onConflict((conflict) => conflict.doNothing())
          .returning("id")
          .executeTakeFirst();
        if (inserted === undefined) return "id_taken";
        await appendAuditRows(inside, [auditRow]);
        return "created";
      }),
    putKey: async (key, auditRow) =>
      inTransaction(context, async (inside) => {
        // First: it locks the log's head, so that of two keys put at once the second finds the first.
        await appendAuditRows(inside, [auditRow]);
        const { id, ...columns } = keyRow(key);
        await inside.trx
          .insertInto("api_keys")
          .values(keyRow(key))
          .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
          .execute();
        await inside.trx.deleteFrom("api_keys").where("id", "!=", id).execute();
      }),
  };
}

function keyRow({ id, org, role, secretSha256, createdAt }: StoredKey): Tables["api_keys"] {
  return { id, org, role, secret_sha256: secretSha256, created_at: createdAt };
}

function storedKey(row: Selectable<Tables["api_keys"]>): StoredKey {
  const { id, org, role, secret_sha256, created_at } = row;
  return { id, org, role, secretSha256: secret_sha256, createdAt: created_at };
}
