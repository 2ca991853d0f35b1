import { findChangeRow } from "../connection/change-row.ts";
import type { ControlClient } from "../connection/control-client.ts";

/** Where the audit log records a change. */
export type AuditRowFound =
  | { readonly id: string; readonly missing_because: null }
  | { readonly id: null; readonly missing_because: string };

/** Finds the row of a version. Never rejects: the change stands, whether or not its row is found. */
export async function findAuditRow(
  client: Pick<ControlClient, "ask">,
  { id, version, since }: { readonly id: string; readonly version: number; readonly since: string },
): Promise<AuditRowFound> {
  const query = { kind: "policy", policy_id: id, since };
  const row = await findChangeRow(client, query, ({ policy_version: found }) => found === version);
  return row.id === null ? { id: null, missing_because: row.why } : { id: row.id, missing_because: null };
}
