import type { Wording } from "./wording.ts";

/** `note` is the signed statement; `first_seq` is the first of the rows that it names. */
export interface AuditRemovalsTable {
  log_id: string;
  first_seq: number;
  org: string;
  removed_rows: number;
  note: string;
}

/** Statements about removed rows. A row is removed once, so the first row of a statement identifies it. */
export function retentionTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE audit_removals (
      log_id ${text} NOT NULL,
      first_seq ${integer} NOT NULL CHECK (first_seq >= 0),
      org ${text} NOT NULL,
      removed_rows ${integer} NOT NULL CHECK (removed_rows > 0),
      note ${text} NOT NULL,
      PRIMARY KEY (log_id, first_seq)
    )`,
  ];
}

/** A row may lose its bytes, and nothing else of it may change. */
export const REMOVAL_TRIGGERS: Readonly<Record<"sqlite" | "postgres", readonly string[]>> = {
  sqlite: [
    "DROP TRIGGER audit_rows_refuse_update",
    `CREATE TRIGGER audit_rows_refuse_update BEFORE UPDATE ON audit_rows
      WHEN NEW.log_id <> OLD.log_id OR NEW.seq <> OLD.seq OR NEW.prev_hash <> OLD.prev_hash
        OR NEW.hash <> OLD.hash OR length(NEW.bytes) > 0
      BEGIN SELECT RAISE(ABORT, 'audit_rows is append-only'); END`,
  ],
  postgres: [
    "DROP TRIGGER audit_rows_refuse_change ON audit_rows",
    `CREATE TRIGGER audit_rows_refuse_change BEFORE DELETE OR TRUNCATE ON audit_rows
      FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change()`,
    `CREATE TRIGGER audit_rows_refuse_update BEFORE UPDATE ON audit_rows FOR EACH ROW
      WHEN (NEW.log_id <> OLD.log_id OR NEW.seq <> OLD.seq OR NEW.prev_hash <> OLD.prev_hash
        OR NEW.hash <> OLD.hash OR octet_length(NEW.bytes) > 0)
      EXECUTE FUNCTION svc_refuse_change()`,
  ],
};

/** Which approvals and grants lead back to rows of a block. */
export const NEEDED_ROW_INDEXES: readonly string[] = [
  "CREATE INDEX approvals_row ON approvals (log_id, seq)",
  "CREATE INDEX grants_row ON grants (used_log_id, used_seq) WHERE used_log_id IS NOT NULL",
];
