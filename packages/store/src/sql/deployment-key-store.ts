import type { DeploymentKeyStore } from "../ports/deployment-key-store.ts";
import { inTransaction, type StoreContext } from "./store-context.ts";

export function createDeploymentKeyStore(context: StoreContext): DeploymentKeyStore {
  return {
    deploymentKey: async (name, candidate) =>
      inTransaction(context, async ({ trx }) => {
        await trx
          .insertInto("deployment_keys")
          .values({ name, secret: candidate })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const query = trx.selectFrom("deployment_keys").select("secret").where("name", "=", name);
        return (await query.executeTakeFirstOrThrow()).secret;
      }),
  };
}
