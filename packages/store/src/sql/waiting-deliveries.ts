import type { Kysely, Selectable } from "kysely";
import type { DeliveredEvent, WaitingDelivery } from "../ports/delivery-store.ts";
import type { Tables } from "./tables.ts";

/** Stores deliveries that wait, in place of those with the same ids. */
export async function putWaiting(
  trx: Kysely<Tables>,
  endpointId: string,
  deliveries: readonly WaitingDelivery[],
): Promise<void> {
  for (const { id, eventId, type, row, attempts, nextAtMs, eventAtMs } of deliveries) {
    const place = { event_id: eventId, type, log_id: row.logId, seq: row.seq, event_at_ms: eventAtMs };
    const columns = { ...place, attempts, next_at_ms: nextAtMs };
    await trx
      .insertInto("waiting_deliveries")
      .values({ endpoint_id: endpointId, id, ...columns })
      .onConflict((conflict) => conflict.columns(["endpoint_id", "id"]).doUpdateSet(columns))
      .execute();
  }
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
