import type { Wording } from "./wording.ts";

/** Where the audit row of an activation stands. Null in rows of earlier programs. */
export function activationColumns({ integer, text }: Wording): readonly string[] {
  return [
    `ALTER TABLE kill_switches ADD COLUMN audit_log_id ${text}`,
    `ALTER TABLE kill_switches ADD COLUMN audit_seq ${integer}`,
  ];
}

/**
 * PostgreSQL only. Every process that was a member when a switch was activated, and when it wrote that it
 * enforces the switch, by the clock of the database. Rows with an earlier epoch belong to an earlier process
 * with the same id. `joined_revision` is the last revision that was committed when the process joined. It is
 * 0 where nothing is known.
 */
export const REACH_TABLES: readonly string[] = [
  "ALTER TABLE cluster_members ADD COLUMN joined_revision BIGINT NOT NULL DEFAULT 0",
  "ALTER TABLE cluster_members ADD COLUMN joined_ms BIGINT NOT NULL DEFAULT 0",
  `CREATE TABLE kill_switch_gateways (
    org TEXT NOT NULL,
    kill_switch_id TEXT NOT NULL,
    member_id TEXT COLLATE "C" NOT NULL,
    epoch BIGINT NOT NULL,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    role TEXT NOT NULL,
    revision BIGINT NOT NULL,
    acknowledged_ms BIGINT,
    PRIMARY KEY (org, kill_switch_id, member_id, epoch)
  )`,
  `CREATE INDEX kill_switch_gateways_open ON kill_switch_gateways (member_id, epoch)
    WHERE acknowledged_ms IS NULL`,
];
