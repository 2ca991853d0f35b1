import type { SqlStores } from "../sql/sql-stores.ts";

/** Every method that can be called from the serving thread; the compiler holds it complete. */
const METHODS = {
  audit: { heads: true, rows: true, row: true, appendCheckpoint: true, checkpoints: true },
  killSwitches: {
    activateKillSwitch: true,
    extendKillSwitch: true,
    endKillSwitch: true,
    recordPropagation: true,
    killSwitch: true,
    killSwitches: true,
  },
  policies: {
    createPolicy: true,
    appendPolicyVersion: true,
    latestPolicy: true,
    policyVersion: true,
    policies: true,
    policyVersions: true,
  },
  assignments: { assignPolicy: true, unassignPolicy: true, assignment: true, assignments: true },
  controlFeed: { snapshot: true, eventsAfter: true },
  deploymentKeys: { deploymentKey: true },
  keys: { keys: true, createKey: true, putBootstrapKey: true },
  settlements: { settleBatch: true, usage: true, check: true },
} as const satisfies { readonly [Name in keyof SqlStores]: Readonly<Record<keyof SqlStores[Name], true>> };

type Call = (store: keyof SqlStores, method: string, args: readonly unknown[]) => Promise<unknown>;

/** The stores of the writer's thread: same methods, same results, each call one message each way. */
export function remoteStores(call: Call): SqlStores {
  const names = Object.keys(METHODS) as (keyof SqlStores)[];
  const stores = names.map((name) => {
    const methods = Object.keys(METHODS[name]).map((method) => [
      method,
      async (...args: readonly unknown[]) => call(name, method, args),
    ]);
    return [name, Object.fromEntries(methods) as unknown] as const;
  });
  return Object.fromEntries(stores) as unknown as SqlStores;
}
