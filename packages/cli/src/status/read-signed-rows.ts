import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";

/** Milliseconds after which a row should be signed: a checkpoint comes about every second. */
const DUE_AFTER_MS = 5_000;

/** Logs that are looked at, as count: each takes a question, and a watch asks every two seconds. */
const MAX_LOGS = 10;

/** How far each log is signed that has one of the last rows that should be. */
export interface SignedRows {
  readonly due_after_ms: number;
  /** The newest row that should be signed, of each log. Empty: every row is newer. */
  readonly logs: readonly {
    readonly log_id: string;
    readonly row: { readonly id: string; readonly time: string };
    readonly is_signed: boolean;
  }[];
  /** Logs of these rows that were not looked at, as count. */
  readonly logs_left_out: number;
  /** False: a log may have rows that are older than these. */
  readonly is_all: boolean;
}

/** @throws CommandFailure `unreachable` when nothing can be said yet */
export async function readSignedRows(client: ControlClient, nowMs: number): Promise<SignedRows> {
  const query = { until: new Date(nowMs - DUE_AFTER_MS).toISOString(), limit: String(MAX_PAGE_SIZE) };
  const { body } = await client.ask(auditQueryRoutes.listAuditRows, { query });
  const newest = [...Map.groupBy(body.rows, ({ log_id }) => log_id).values()].flatMap(
    ([first]) => first ?? [],
  );
  if (newest.length === 0 && !body.indexed.complete)
    throw new CommandFailure("unreachable", "no older row is indexed yet");
  const logs = newest.slice(0, MAX_LOGS).map(async ({ id, log_id, time }) => {
    const { body: proof } = await client.ask(auditQueryRoutes.getAuditRow, { params: { row_id: id } });
    return { log_id, row: { id, time }, is_signed: proof.checkpoint !== null };
  });
  return {
    due_after_ms: DUE_AFTER_MS,
    logs: await Promise.all(logs),
    is_all: body.next_cursor === null,
    logs_left_out: Math.max(newest.length - MAX_LOGS, 0),
  };
}
