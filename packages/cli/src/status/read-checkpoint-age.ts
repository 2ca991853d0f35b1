import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import type { ControlClient } from "../connection/control-client.ts";

/** Milliseconds after which a row should be signed: a checkpoint comes about every second. */
const SIGNED_WITHIN_MS = 5_000;

/** Rows that are looked at, as count: among them is one that should be signed, unless all are newer. */
const LOOKED_AT = "50";

/** How far the log is signed. */
export interface CheckpointAge {
  /** The newest row that is known to be signed. Null: none is known. */
  readonly signed: { readonly id: string; readonly time: string } | null;
  /** The oldest row that should be signed and is not. Null: there is none among the last rows. */
  readonly unsigned: { readonly id: string; readonly time: string } | null;
}

export async function readCheckpointAge(client: ControlClient, nowMs: number): Promise<CheckpointAge> {
  const { body } = await client.ask(auditQueryRoutes.listAuditRows, { query: { limit: LOOKED_AT } });
  const [newest] = body.rows;
  if (newest === undefined) return { signed: null, unsigned: null };
  if (await isSigned(client, newest.id)) return { signed: placeOf(newest), unsigned: null };
  const due = body.rows.find(({ time }) => Date.parse(time) < nowMs - SIGNED_WITHIN_MS);
  if (due === undefined) return { signed: null, unsigned: null };
  return (await isSigned(client, due.id))
    ? { signed: placeOf(due), unsigned: null }
    : { signed: null, unsigned: placeOf(due) };
}

async function isSigned(client: ControlClient, id: string): Promise<boolean> {
  const { body } = await client.ask(auditQueryRoutes.getAuditRow, { params: { row_id: id } });
  return body.checkpoint !== null;
}

function placeOf({ id, time }: { readonly id: string; readonly time: string }) {
  return { id, time };
}
