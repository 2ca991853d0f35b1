import { MAX_CHANNELS_PER_ORG } from "@svc/contract/channel-limits";
import { MAX_INTEGRATIONS_PER_ORG } from "@svc/contract/integration-limits";
import { MAX_WEBHOOKS_PER_ORG } from "@svc/contract/webhook-limits";
import type { RecordStores } from "../ports/record-store.ts";
import type { Wording } from "./wording.ts";

interface RecordTable {
  readonly table: string;
  /** Names the list in cursors. */
  readonly cursor: string;
  /** Column and member of a record: when it ended; null while it is in force. */
  readonly ended: string;
  /** Records of one organization, those that have ended included, as count. */
  readonly most: number;
}

/** The tables of records by the names of their stores. */
export const RECORD_TABLES = {
  // Every removal of rows looks at the holds in force.
  legalHolds: { table: "legal_holds", cursor: "legal-hold", ended: "lifted_at", most: 1_000 },
  // Every exchange of a token reads the rules in force.
  trustRules: { table: "trust_rules", cursor: "trust-rule", ended: "removed_at", most: 1_000 },
  webhooks: { table: "webhooks", cursor: "webhook", ended: "disabled_at", most: MAX_WEBHOOKS_PER_ORG },
  notificationChannels: {
    table: "notification_channels",
    cursor: "notification-channel",
    ended: "disabled_at",
    most: MAX_CHANNELS_PER_ORG,
  },
  integrations: {
    table: "integrations",
    cursor: "integration",
    ended: "disabled_at",
    most: MAX_INTEGRATIONS_PER_ORG,
  },
} as const satisfies Readonly<Record<keyof RecordStores, RecordTable>>;

type Known = typeof RECORD_TABLES;

/** `number` counts the records of an organization. `record` is JSON. */
type RecordRow<Ended extends string> = {
  org: string;
  id: string;
  number: number;
  record: string;
} & Record<Ended, string | null>;

/** As kysely sees them. */
export type RecordRows = {
  [Name in keyof Known as Known[Name]["table"]]: RecordRow<Known[Name]["ended"]>;
};

/** The statements that make one of these tables. */
export function recordTable(
  { table, ended }: Pick<RecordTable, "table" | "ended">,
  { integer, text }: Wording,
): readonly string[] {
  return [
    `CREATE TABLE ${table} (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      number ${integer} NOT NULL,
      ${ended} ${text},
      record ${text} NOT NULL,
      PRIMARY KEY (org, id)
    )`,
    `CREATE UNIQUE INDEX ${table}_newest ON ${table} (org, number)`,
    `CREATE INDEX ${table}_in_force ON ${table} (org) WHERE ${ended} IS NULL`,
  ];
}
