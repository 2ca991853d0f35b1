import type { Wording } from "./wording.ts";

/**
 * Grants that cover several calls. An earlier program reads `used_seq` alone, so it is set as soon as nothing
 * is left. `grant_uses` holds the rows that have used a grant which covers more than one call.
 */
export function sharedGrantTables({ integer, text }: Wording): readonly string[] {
  return [
    `ALTER TABLE grants ADD COLUMN max_uses ${integer} NOT NULL DEFAULT 1`,
    `ALTER TABLE grants ADD COLUMN uses ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE grants ADD COLUMN used_at_ms ${integer}`,
    `ALTER TABLE approvals ADD COLUMN anywhere ${text}`,
    "CREATE INDEX approvals_anywhere ON approvals (org, anywhere) WHERE status = 'approved'",
    `CREATE TABLE grant_uses (
      log_id ${text} NOT NULL,
      seq ${integer} NOT NULL,
      org ${text} NOT NULL,
      approval_id ${text} NOT NULL,
      PRIMARY KEY (log_id, seq),
      FOREIGN KEY (org, approval_id) REFERENCES grants (org, approval_id)
    )`,
  ];
}

/** A call that has used a grant which covers several. */
export interface GrantUsesTable {
  log_id: string;
  seq: number;
  org: string;
  approval_id: string;
}
