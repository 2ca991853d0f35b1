import { setTimeout as delay } from "node:timers/promises";
import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";

/** Where the audit log records a change. */
export type AuditRowFound =
  | { readonly id: string; readonly missing_because: null }
  | { readonly id: null; readonly missing_because: string };

/** Milliseconds in which the index follows the log. */
const INDEX_MS = 3_000;

/** Milliseconds between two questions. */
const PAUSE_MS = 100;

/** Finds the row of a version. Never rejects: the change stands, whether or not its row is found. */
export async function findAuditRow(
  client: Pick<ControlClient, "ask">,
  { id, version, since }: { readonly id: string; readonly version: number; readonly since: string },
): Promise<AuditRowFound> {
  const query = { kind: "policy", policy_id: id, since };
  const endMs = performance.now() + INDEX_MS;
  for (;;) {
    try {
      const { rows } = (await client.ask(auditQueryRoutes.listAuditRows, { query })).body;
      const row = rows.find(({ row: { policy_version: found } }) => found === version);
      if (row !== undefined) return { id: row.id, missing_because: null };
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      const may = error.outcome === "refused" ? "this key may not read the audit log" : error.message;
      return { id: null, missing_because: may };
    }
    if (performance.now() >= endMs) return { id: null, missing_because: "the index does not have it yet" };
    await delay(PAUSE_MS);
  }
}
