import type { Selectable } from "kysely";
import type { StoredRow } from "../ports/audit-store.ts";
import type { Tables } from "./tables.ts";

export function storedRow(row: Selectable<Tables["audit_rows"]>): StoredRow {
  const { log_id, seq, prev_hash, hash, bytes } = row;
  return { logId: log_id, seq, prevHash: prev_hash, hash, bytes };
}
