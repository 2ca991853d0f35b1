import type { SqlStores } from "../sql/sql-stores.ts";
import type { StoreCall } from "./call-store.ts";

/** Which thread runs a method. */
export type StoreThreadName = "writer" | "reader";

/**
 * Every method that can be called from the serving thread, and the thread that runs it; the compiler holds
 * the table complete.
 *
 * `reader`: what only shows something, such as a list, an export or a document. `writer`: what
 * changes something, and what a change, a proof or a decision rests on, so that a fault of the reader
 * cannot touch it.
 */
const METHODS = {
  audit: {
    // The checkpointer signs what it reads here.
    heads: "writer",
    // Reports of outcomes settle by the row that they read.
    row: "writer",
    appendCheckpoint: "writer",
    rows: "reader",
    exportRows: "reader",
    checkpoints: "reader",
  },
  killSwitches: {
    activateKillSwitch: "writer",
    extendKillSwitch: "writer",
    endKillSwitch: "writer",
    recordDryRun: "writer",
    recordPropagation: "writer",
    // Read before a switch is ended, by an operator or by time.
    killSwitch: "writer",
    killSwitches: "reader",
  },
  policies: {
    createPolicy: "writer",
    appendPolicyVersion: "writer",
    // Read before a version is appended.
    latestPolicy: "writer",
    policyVersion: "writer",
    policies: "reader",
    policyVersions: "reader",
  },
  assignments: {
    assignPolicy: "writer",
    unassignPolicy: "writer",
    // Read before an assignment is removed.
    assignment: "writer",
    assignments: "reader",
  },
  // Each read proves that the control state of a gateway is current.
  controlFeed: { snapshot: "writer", eventsAfter: "writer" },
  // Digests of rows are keyed with it.
  deploymentKeys: { deploymentKey: "writer" },
  // Credentials, and whether the log belongs to one organization.
  keys: { keys: "writer", createKey: "writer", putBootstrapKey: "writer" },
  // Read before an approval is resolved.
  approvals: { approval: "writer", approve: "writer" },
  // The holder of a key decides whether a repeat gets a decision.
  idempotency: { keyHolder: "writer", removeExpiredKeys: "writer" },
  // Evaluations depend on the usage of a session, and readiness depends on the check.
  settlements: { settleBatch: "writer", usage: "writer", check: "writer" },
} as const satisfies {
  readonly [Name in keyof SqlStores]: Readonly<Record<keyof SqlStores[Name], StoreThreadName>>;
};

/** The stores of the other threads: same methods, same results, each call one message each way. */
export function remoteStores(
  threads: Readonly<Record<StoreThreadName, (call: StoreCall) => Promise<unknown>>>,
): SqlStores {
  const names = Object.keys(METHODS) as (keyof SqlStores)[];
  const stores = names.map((store) => {
    const methods = Object.entries<StoreThreadName>(METHODS[store]).map(([method, thread]) => [
      method,
      async (...args: readonly unknown[]) => threads[thread]({ store, method, args }),
    ]);
    return [store, Object.fromEntries(methods) as unknown] as const;
  });
  return Object.fromEntries(stores) as unknown as SqlStores;
}
