import type { Kysely, Selectable } from "kysely";
import {
  ATTEMPTS_KEPT_MS,
  type CourseChange,
  DEAD_KEPT,
  type DeliveredEvent,
  type WaitingDelivery,
} from "../ports/delivery-store.ts";
import type { Tables } from "./tables.ts";

/** Stores deliveries that wait, in place of those with the same ids. */
export async function putWaiting(
  trx: Kysely<Tables>,
  endpointId: string,
  deliveries: readonly WaitingDelivery[],
): Promise<void> {
  for (const { id, eventId, type, row, attempts, nextAtMs, eventAtMs } of deliveries) {
    const place = { event_id: eventId, type, log_id: row.logId, seq: row.seq, event_at_ms: eventAtMs };
    const columns = { ...place, attempts, next_at_ms: nextAtMs, dead_at_ms: null };
    await trx
      .insertInto("waiting_deliveries")
      .values({ endpoint_id: endpointId, id, ...columns })
      .onConflict((conflict) => conflict.columns(["endpoint_id", "id"]).doUpdateSet(columns))
      .execute();
  }
}

/** Forgets what has been dead for long, of all endpoints, and the oldest above the bound of this one. */
export async function keepDead(
  trx: Kysely<Tables>,
  { endpointId, waiting, nowMs }: CourseChange,
): Promise<void> {
  await trx
    .deleteFrom("waiting_deliveries")
    .where("dead_at_ms", "<", nowMs - ATTEMPTS_KEPT_MS)
    // A process of an earlier version lets dead deliveries wait again, and knows no such time.
    .where("next_at_ms", "is", null)
    .execute();
  if (!waiting.some(({ nextAtMs }) => nextAtMs === null)) return;
  await trx
    .updateTable("waiting_deliveries")
    .set({ dead_at_ms: nowMs })
    .where("endpoint_id", "=", endpointId)
    .where("next_at_ms", "is", null)
    .where("dead_at_ms", "is", null)
    .execute();
  const above = trx
    .selectFrom("waiting_deliveries")
    .select("id")
    .where("endpoint_id", "=", endpointId)
    .where("next_at_ms", "is", null)
    .orderBy("dead_at_ms", "desc")
    .orderBy("event_at_ms", "desc")
    .offset(DEAD_KEPT)
    .limit(DEAD_KEPT);
  const ids = (await above.execute()).map(({ id }) => id);
  if (ids.length > 0)
    await trx
      .deleteFrom("waiting_deliveries")
      .where("endpoint_id", "=", endpointId)
      .where("id", "in", ids)
      .execute();
}

export function waitingOf(row: Selectable<Tables["waiting_deliveries"]>): WaitingDelivery {
  const { id, attempts, next_at_ms: nextAtMs, event_at_ms: eventAtMs } = row;
  return { id, ...eventOf(row), attempts, nextAtMs, eventAtMs };
}

export function eventOf(
  row: Pick<Selectable<Tables["waiting_deliveries"]>, "event_id" | "type" | "log_id" | "seq">,
): DeliveredEvent {
  return { eventId: row.event_id, type: row.type, row: { logId: row.log_id, seq: row.seq } };
}
