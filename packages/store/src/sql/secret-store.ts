import type { Transaction } from "kysely";
import type { DataKeyReplacement, SecretStore } from "../ports/secret-store.ts";
import { inTransaction, type StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

/** Ends the transaction without a change. */
class ChangedMeanwhileError extends Error {
  override readonly name = "ChangedMeanwhileError";
}

export function createSecretStore(context: StoreContext): SecretStore {
  const { db } = context;
  return {
    dataKeys: () => db.selectFrom("data_keys").select(["org", "wrapped"]).orderBy("org").execute(),
    dataKey: (org, candidate) =>
      inTransaction(context, async ({ trx }) => {
        await trx
          .insertInto("data_keys")
          .values({ org, wrapped: candidate })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const query = trx.selectFrom("data_keys").select("wrapped").where("org", "=", org);
        return (await query.executeTakeFirstOrThrow()).wrapped;
      }),
    putSecret: ({ org, kind, id }, { sealed, wrapped }) =>
      inTransaction(context, async ({ trx }) => {
        if (!(await swapKey(trx, { org, from: wrapped, to: wrapped }))) return false;
        await trx
          .insertInto("secrets")
          .values({ org, kind, id, sealed })
          .onConflict((conflict) => conflict.columns(["org", "kind", "id"]).doUpdateSet({ sealed }))
          .execute();
        return true;
      }),
    secret: async ({ org, kind, id }) =>
      (await db
        .selectFrom("secrets")
        .innerJoin("data_keys", "data_keys.org", "secrets.org")
        .select(["secrets.sealed", "data_keys.wrapped"])
        .where("secrets.org", "=", org)
        .where("secrets.kind", "=", kind)
        .where("secrets.id", "=", id)
        .executeTakeFirst()) ?? null,
    removeSecret: ({ org, kind, id }) =>
      inTransaction(context, async ({ trx }) => {
        const removal = trx.deleteFrom("secrets").where("org", "=", org).where("kind", "=", kind);
        return (await removal.where("id", "=", id).executeTakeFirst()).numDeletedRows === 1n;
      }),
    secretsOf: (org) => {
      const query = db.selectFrom("secrets").select(["kind", "id", "sealed"]).where("org", "=", org);
      return query.orderBy("kind").orderBy("id").execute();
    },
    replaceDataKey: (replacement) =>
      inTransaction(context, async ({ trx }) => {
        await replace(trx, replacement);
        return true;
      }).catch((error: unknown) => {
        if (error instanceof ChangedMeanwhileError) return false;
        throw error;
      }),
  };
}

/** Also keeps every other change of the organization's secrets waiting until this one has committed. */
async function swapKey(
  trx: Transaction<Tables>,
  { org, from, to }: Pick<DataKeyReplacement, "org" | "from" | "to">,
): Promise<boolean> {
  const update = trx.updateTable("data_keys").set({ wrapped: to }).where("org", "=", org);
  return (await update.where("wrapped", "=", from).executeTakeFirst()).numUpdatedRows === 1n;
}

async function replace(
  trx: Transaction<Tables>,
  { org, from, to, secrets }: DataKeyReplacement,
): Promise<void> {
  if (!(await swapKey(trx, { org, from, to }))) throw new ChangedMeanwhileError();
  for (const secret of secrets) {
    const update = trx
      .updateTable("secrets")
      .set({ sealed: secret.to })
      .where("org", "=", org)
      .where("kind", "=", secret.kind)
      .where("id", "=", secret.id)
      .where("sealed", "=", secret.from);
    if ((await update.executeTakeFirst()).numUpdatedRows !== 1n) throw new ChangedMeanwhileError();
  }
  const count = trx.selectFrom("secrets").select(({ fn }) => fn.countAll().as("secrets"));
  const { secrets: all } = await count.where("org", "=", org).executeTakeFirstOrThrow();
  if (Number(all) !== secrets.length) throw new ChangedMeanwhileError();
}
