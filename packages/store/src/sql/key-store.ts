import type { Selectable } from "kysely";
import type { KeyStore, StoredKey } from "../ports/key-store.ts";
import { appendAuditRows, touchHead } from "./append-audit-rows.ts";
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
    putBootstrapKey: async (key, auditRow) =>
      inTransaction(context, async (inside) => {
        const { id, ...columns } = keyRow({ ...key, origin: "bootstrap" });
        // First: it locks the log's head, so that of two keys put at once the second finds the first.
        await touchHead(inside);
        const written = await inside.trx
          .insertInto("api_keys")
          .values({ id, ...columns })
          .onConflict((conflict) =>
            conflict.column("id").doUpdateSet(columns).where("api_keys.origin", "=", "bootstrap"),
          )
          .returning("id")
          .executeTakeFirst();
        if (written === undefined) return "id_taken";
        const earlier = inside.trx.deleteFrom("api_keys").where("origin", "=", "bootstrap");
        await earlier.where("id", "!=", id).execute();
        await appendAuditRows(inside, [auditRow]);
        return "put";
      }),
  };
}

function keyRow({ id, org, origin, role, secretSha256, createdAt }: StoredKey): Tables["api_keys"] {
  return { id, org, origin, role, secret_sha256: secretSha256, created_at: createdAt };
}

function storedKey(row: Selectable<Tables["api_keys"]>): StoredKey {
  const { id, org, origin, role, secret_sha256, created_at } = row;
  return { id, org, origin, role, secretSha256: secret_sha256, createdAt: created_at };
}
