import type { Transaction } from "kysely";
import { agentTables } from "./agent-tables.ts";
import { alertTables } from "./alert-tables.ts";
import { anomalyTables } from "./anomaly-tables.ts";
import { approvalTables, OPEN_SHARE_INDEXES } from "./approval-tables.ts";
import { claimTables } from "./claim-tables.ts";
import { CLUSTER_TABLES, MEMBER_SIGNS } from "./cluster-tables.ts";
import { controlApiTables } from "./control-api-tables.ts";
import { controlTables } from "./control-tables.ts";
import { DEAD_DELIVERIES_INDEX, deadSince, deliveryRowColumns, deliveryTables } from "./delivery-tables.ts";
import { sharedGrantTables } from "./grant-tables.ts";
import { guardrailTables } from "./guardrail-tables.ts";
import { heldCallTables } from "./held-call-tables.ts";
import { integrationCourseTables } from "./integration-tables.ts";
import {
  deploymentKeyTables,
  keyTables,
  managedKeyTables,
  shortKeyColumns,
  trustRuleColumn,
} from "./key-tables.ts";
import { ledgerTables } from "./ledger-tables.ts";
import { fillPolicyColumns } from "./policy-columns.ts";
import { policyStateColumns, policyTables } from "./policy-tables.ts";
import { activationColumns, REACH_TABLES } from "./reach-tables.ts";
import { RECORD_TABLES, recordTable } from "./record-tables.ts";
import { replayTables, replayWorkColumns } from "./replay-tables.ts";
import { NEEDED_ROW_INDEXES, REMOVAL_TRIGGERS, retentionTables } from "./retention-tables.ts";
import { secretTables } from "./secret-tables.ts";
import type { Dialect } from "./store-context.ts";
import { supervisionTables } from "./supervision-tables.ts";
import type { Tables } from "./tables.ts";
import { verifierKeyTables } from "./verifier-key-tables.ts";
import { POSTGRES, SQLITE, type Wording } from "./wording.ts";

/**
 * One forward step of the schema. A published step is never edited, because its number says what
 * a database holds.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: Readonly<Record<Dialect, readonly string[]>>;
  /** Fills new columns from what is stored. Runs after the statements. */
  readonly fill?: (trx: Transaction<Tables>) => Promise<void>;
}

function retention(wording: Wording): readonly string[] {
  return [...retentionTables(wording), ...recordTable(RECORD_TABLES.legalHolds, wording)];
}

function allTables(wording: Wording): readonly string[] {
  return [
    ...ledgerTables(wording),
    ...controlTables(wording),
    ...policyTables(wording),
    ...keyTables(wording),
  ];
}

/**
 * Audit rows are only ever added; a later step lets retention take their bytes. These triggers stop a mistake
 * in our own code; the hash chain reveals an attacker.
 */
const IMMUTABLE = ["audit_rows", "control_events", "policy_versions"];

const sqliteTriggers = IMMUTABLE.flatMap((table) =>
  ["UPDATE", "DELETE"].map(
    (change) =>
      `CREATE TRIGGER ${table}_refuse_${change.toLowerCase()} BEFORE ${change} ON ${table}
        BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`,
  ),
);

const postgresTriggers = [
  `CREATE FUNCTION svc_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$`,
  ...IMMUTABLE.map(
    (table) =>
      `CREATE TRIGGER ${table}_refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change()`,
  ),
];

/** The same tables in the words of each database. */
function inBoth(tables: (wording: Wording) => readonly string[]): Migration["statements"] {
  return { sqlite: tables(SQLITE), postgres: tables(POSTGRES) };
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: "ledger, control state, policies and keys",
    statements: {
      sqlite: [...allTables(SQLITE), ...sqliteTriggers],
      postgres: [...allTables(POSTGRES), ...postgresTriggers],
    },
  },
  {
    version: 2,
    name: "keys know whether a start made them",
    // Every key that was stored before was made at a start.
    statements: {
      sqlite: ["ALTER TABLE api_keys ADD COLUMN origin TEXT NOT NULL DEFAULT 'bootstrap'"],
      postgres: ["ALTER TABLE api_keys ADD COLUMN origin TEXT NOT NULL DEFAULT 'bootstrap'"],
    },
  },
  { version: 3, name: "keys of the deployment", statements: inBoth(deploymentKeyTables) },
  { version: 4, name: "approvals, grants and idempotency keys", statements: inBoth(claimTables) },
  {
    version: 5,
    name: "namespaces, their detection settings, keys of requests, assignments by policy",
    statements: inBoth(controlApiTables),
  },
  {
    version: 6,
    name: "keys with roles, bindings, expiry and several secrets",
    statements: inBoth(managedKeyTables),
  },
  {
    version: 7,
    name: "state and labels of policies",
    statements: inBoth(policyStateColumns),
    fill: fillPolicyColumns,
  },
  {
    version: 8,
    name: "removal of rows by retention, and legal holds",
    statements: {
      sqlite: [...retention(SQLITE), ...REMOVAL_TRIGGERS.sqlite],
      postgres: [...retention(POSTGRES), ...REMOVAL_TRIGGERS.postgres],
    },
  },
  {
    version: 9,
    name: "approvals with bindings, grants with edits, workflows",
    statements: inBoth(approvalTables),
  },
  { version: 10, name: "replays", statements: inBoth(replayTables) },
  {
    version: 11,
    name: "indexes from approvals and grants to rows",
    statements: { sqlite: NEEDED_ROW_INDEXES, postgres: NEEDED_ROW_INDEXES },
  },
  { version: 12, name: "replays that begin again", statements: inBoth(replayWorkColumns) },
  {
    version: 13,
    name: "indexes of open approvals by agent and by key",
    statements: { sqlite: OPEN_SHARE_INDEXES, postgres: OPEN_SHARE_INDEXES },
  },
  {
    version: 14,
    name: "processes of a cluster",
    statements: { sqlite: [], postgres: CLUSTER_TABLES },
  },
  {
    version: 15,
    name: "public keys of every process, and which gateways a kill switch has reached",
    statements: {
      sqlite: [...verifierKeyTables(SQLITE), ...activationColumns(SQLITE)],
      postgres: [...verifierKeyTables(POSTGRES), ...activationColumns(POSTGRES), ...REACH_TABLES],
    },
  },
  {
    version: 16,
    name: "supervised sessions, and calls that are held while their agent is suspended",
    statements: inBoth((wording) => [...supervisionTables(wording), ...heldCallTables(wording)]),
  },
  {
    version: 17,
    name: "registered agents, and anomalies of agents",
    statements: inBoth((wording) => [...agentTables(wording), ...anomalyTables(wording)]),
  },
  { version: 18, name: "grants that cover several calls", statements: inBoth(sharedGrantTables) },
  {
    version: 19,
    name: "trust rules, and keys that are removed after their end",
    statements: inBoth((wording) => [
      ...recordTable(RECORD_TABLES.trustRules, wording),
      ...shortKeyColumns(wording),
    ]),
  },
  { version: 20, name: "secrets at rest", statements: inBoth(secretTables) },
  { version: 21, name: "deliveries to endpoints of webhooks", statements: inBoth(deliveryTables) },
  {
    version: 22,
    name: "endpoints of webhooks, and the rows of their deliveries",
    statements: inBoth((wording) => [
      ...recordTable(RECORD_TABLES.webhooks, wording),
      ...deliveryRowColumns(wording),
    ]),
  },
  {
    version: 23,
    name: "alerts, and what processes of a cluster say of their health",
    statements: { sqlite: alertTables(SQLITE), postgres: [...alertTables(POSTGRES), MEMBER_SIGNS] },
  },
  {
    version: 24,
    name: "an index of dead deliveries",
    statements: { sqlite: [DEAD_DELIVERIES_INDEX], postgres: [DEAD_DELIVERIES_INDEX] },
  },
  {
    version: 25,
    name: "notification channels",
    statements: inBoth((wording) => recordTable(RECORD_TABLES.notificationChannels, wording)),
  },
  { version: 26, name: "an end for dead deliveries", statements: inBoth(deadSince) },
  { version: 27, name: "the trust rule that gave a key", statements: inBoth(trustRuleColumn) },
  {
    version: 28,
    name: "integrations, and how far each is in the logs",
    statements: inBoth((wording) => [
      ...recordTable(RECORD_TABLES.integrations, wording),
      ...integrationCourseTables(wording),
    ]),
  },
  { version: 29, name: "guardrails", statements: inBoth(guardrailTables) },
];
