import type { AuditStore } from "../ports/audit-store.ts";
import type { StoreContext } from "./store-context.ts";

export function verifierKeyStore({
  db,
  logId,
}: Pick<StoreContext, "db" | "logId">): Pick<AuditStore, "noteVerifierKey" | "verifierKeys"> {
  return {
    noteVerifierKey: async (verifierKey, notedAt) => {
      await db
        .insertInto("verifier_keys")
        .values({ verifier_key: verifierKey, log_id: logId, noted_at: notedAt.toISOString() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    verifierKeys: async () => {
      const query = db.selectFrom("verifier_keys").select("verifier_key");
      const found = await query.orderBy("noted_at").orderBy("verifier_key").execute();
      return found.map(({ verifier_key }) => verifier_key);
    },
  };
}
