import type { RecordStores } from "../ports/record-store.ts";
import { RECORD_TABLES } from "../sql/record-tables.ts";
import type { SqlStores } from "../sql/sql-stores.ts";
import type { StoreCall } from "./call-store.ts";

/** Which thread runs a method. */
export type StoreThreadName = "writer" | "reader" | "snapshot";

/** A record is read before it is replaced. */
const RECORD_METHODS = {
  create: "writer",
  replace: "writer",
  remove: "writer",
  find: "writer",
  // A rule that was removed admits no token.
  inForce: "writer",
  // The senders and the watch of alerts ask every second. Where nothing is set up, no thread starts for it.
  everyInForce: "writer",
  every: "writer",
  list: "reader",
} as const;

/**
 * Every method that can be called from the serving thread, and the thread that runs it; the compiler holds
 * the table complete.
 *
 * `reader`: what only shows something, such as a list, an export or a document. `writer`: what
 * changes something, and what a change, a proof or a decision rests on, so that a fault of the reader
 * cannot touch it. `snapshot`: what takes a second of a thread, while no commit and no list may wait.
 */
const METHODS = {
  ...recordMethods(),
  audit: {
    heads: "writer",
    // The checkpointer signs what it reads here.
    ownHead: "writer",
    // Reports of outcomes settle by the row that they read.
    row: "writer",
    appendCheckpoint: "writer",
    rows: "reader",
    exportRows: "reader",
    excerptRows: "reader",
    ocsfRows: "reader",
    eventRows: "reader",
    forwardedRows: "reader",
    checkpoints: "reader",
    // It proves at the start that the log has lost rows.
    checkpointAhead: "writer",
    noteVerifierKey: "writer",
    verifierKeys: "reader",
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
    // A certificate rests on it.
    activation: "writer",
    // Simulations show it.
    activeKillSwitches: "reader",
  },
  policies: {
    createPolicy: "writer",
    appendPolicyVersion: "writer",
    movePolicy: "writer",
    labelPolicy: "writer",
    // Read before a version is appended.
    latestPolicy: "writer",
    policyVersion: "writer",
    policies: "reader",
    policyVersions: "reader",
  },
  guardrails: {
    createGuardrail: "writer",
    updateGuardrail: "writer",
    removeGuardrail: "writer",
    // Read before a guardrail is changed, and before a policy that names it is written.
    guardrail: "writer",
    everyGuardrail: "writer",
    guardedPolicies: "writer",
    guardrailVersion: "reader",
    guardrails: "reader",
  },
  assignments: {
    assignPolicy: "writer",
    unassignPolicy: "writer",
    // Read before an assignment is removed.
    assignment: "writer",
    assignments: "reader",
  },
  namespaces: {
    createNamespace: "writer",
    updateNamespace: "writer",
    removeNamespace: "writer",
    putRogueDetection: "writer",
    // Rogue detection acts by these settings.
    rogueDetection: "writer",
    everyRogueDetection: "writer",
    namespace: "reader",
    namespaces: "reader",
  },
  agents: {
    registerAgent: "writer",
    replaceAgent: "writer",
    removeAgent: "writer",
    // Read before a registration is changed.
    agent: "writer",
    controlRevision: "reader",
    agentsNamed: "reader",
    supervision: "reader",
    supervisedAgents: "reader",
    agents: "reader",
  },
  // A removal looks at what it rests on once more.
  retention: {
    emptyBlocks: "reader",
    removedRanges: "reader",
    removable: "reader",
    remove: "writer",
    scrub: "writer",
  },
  // Each read proves that the control state of a gateway is current.
  controlFeed: { snapshot: "snapshot", eventsAfter: "writer" },
  // A delivery is sent by what these say.
  deliveries: {
    begin: "writer",
    course: "writer",
    change: "writer",
    due: "writer",
    versions: "writer",
    queue: "writer",
    queueDead: "writer",
    revive: "writer",
    find: "reader",
    waiting: "reader",
    counts: "reader",
    deadCounts: "reader",
    attempts: "reader",
    remove: "writer",
  },
  // A batch is sent by what these say.
  integrationCourses: { begin: "writer", course: "writer", change: "writer", remove: "writer" },
  // Digests of rows are keyed with it.
  deploymentKeys: { deploymentKey: "writer" },
  // What is sent with a secret rests on it.
  secrets: {
    dataKeys: "writer",
    dataKey: "writer",
    putSecret: "writer",
    secret: "writer",
    removeSecret: "writer",
    secretsOf: "writer",
    replaceDataKey: "writer",
  },
  // Credentials, and whether the log belongs to one organization.
  keys: {
    createKey: "writer",
    rotateKey: "writer",
    revokeKey: "writer",
    putBootstrapKey: "writer",
    bootstrapKeys: "writer",
    hasOtherOrganization: "writer",
    // Asked by people who sign in, perhaps a moment after the key was made.
    hasOrganization: "writer",
    // Read before a key is rotated or revoked.
    key: "writer",
    keys: "reader",
  },
  approvals: {
    // Read before an approval is resolved, before a grant is used, and to know what ends by time.
    approval: "writer",
    grant: "writer",
    // A pause names what it finds.
    usableElsewhere: "writer",
    overdue: "writer",
    changeApproval: "writer",
    revokeGrant: "writer",
    grants: "reader",
    expireApproval: "writer",
    approvals: "reader",
    // Who waits for an approval reads it again before it is answered.
    versions: "reader",
  },
  heldCalls: {
    // Read before a held call ends.
    unresolved: "writer",
    endHeldCall: "writer",
    heldCall: "reader",
    heldCalls: "reader",
  },
  approvalWorkflows: {
    createWorkflow: "writer",
    updateWorkflow: "writer",
    removeWorkflow: "writer",
    // Read before a workflow is changed.
    workflow: "writer",
    workflows: "reader",
    everyWorkflow: "reader",
  },
  // The holder of a key decides whether a repeat gets a decision.
  idempotency: { removeExpiredKeys: "writer" },
  // Whether a request runs depends on its key.
  requestKeys: {
    begin: "writer",
    finish: "writer",
    release: "writer",
    removeExpired: "writer",
  },
  // Explanations and replays show it.
  recordedCalls: { evidence: "reader", ends: "reader", page: "reader", firstAt: "reader" },
  replays: {
    createReplay: "writer",
    updateReplay: "writer",
    removeReplay: "writer",
    // Read before a replay is ended.
    replay: "writer",
    takeUpReplays: "writer",
    replays: "reader",
  },
  supervision: {
    recordHeartbeats: "writer",
    reauthenticate: "writer",
    changeSeverities: "writer",
    noteContainment: "writer",
    forgetEnded: "writer",
    watchSpans: "writer",
    saveWatchSpans: "writer",
    // The supervisor acts by what these say.
    watched: "writer",
    news: "writer",
    session: "writer",
    sessionsNamed: "writer",
    sessionsOf: "reader",
  },
  anomalies: { recordAnomaly: "writer", recentAnomalies: "reader", latestAnomalies: "writer" },
  // Which alerts are opened and resolved rests on those that are known.
  alerts: { open: "writer", change: "writer", find: "writer", unresolved: "writer", list: "reader" },
  // Evaluations depend on the usage of a session, and readiness depends on the check.
  settlements: { settleBatch: "writer", usage: "writer", check: "writer" },
} as const satisfies {
  readonly [Name in keyof SqlStores]: Readonly<Record<keyof SqlStores[Name], StoreThreadName>>;
};

function recordMethods(): Readonly<Record<keyof RecordStores, typeof RECORD_METHODS>> {
  const names = Object.keys(RECORD_TABLES) as (keyof RecordStores)[];
  return Object.fromEntries(names.map((name) => [name, RECORD_METHODS])) as ReturnType<typeof recordMethods>;
}

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
