import { type Kysely, sql } from "kysely";
import type { DeliveryStore } from "../ports/delivery-store.ts";
import { inTransaction, type StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";
import { eventOf, putWaiting } from "./waiting-deliveries.ts";

type Replays = Pick<DeliveryStore, "versions" | "queue" | "queueDead" | "revive" | "find">;

/** What a control process changes of the deliveries that another process sends. */
export function createDeliveryReplays(context: StoreContext): Replays {
  const { db } = context;
  return {
    versions: async () => {
      const rows = await db.selectFrom("delivery_courses").select(["endpoint_id", "version"]).execute();
      return new Map(rows.map(({ endpoint_id, version }) => [endpoint_id, version]));
    },
    queue: async (endpointId, deliveries) =>
      inTransaction(context, async ({ trx }) => {
        await changeCourse(trx, endpointId, {});
        await putWaiting(trx, endpointId, deliveries);
      }),
    queueDead: async (endpointId, { sinceMs, untilMs, nowMs }) =>
      inTransaction(context, async ({ trx }) => {
        await changeCourse(trx, endpointId, {});
        const { numUpdatedRows } = await trx
          .updateTable("waiting_deliveries")
          .set({ next_at_ms: nowMs, attempts: 1, dead_at_ms: null })
          .where("endpoint_id", "=", endpointId)
          .where("next_at_ms", "is", null)
          .where("event_at_ms", ">=", sinceMs)
          .where("event_at_ms", "<", untilMs)
          .executeTakeFirst();
        return Number(numUpdatedRows);
      }),
    revive: async (endpointId) =>
      changeCourse(db, endpointId, { failures: 0, failing_since_ms: null, probe_at_ms: null }),
    find: async (deliveryId) => findDelivery(context, deliveryId),
  };
}

/** The sender finds another version, and reads the course again. */
async function changeCourse(
  db: Kysely<Tables>,
  endpointId: string,
  columns: { readonly failures?: number; readonly failing_since_ms?: null; readonly probe_at_ms?: null },
): Promise<void> {
  await db
    .updateTable("delivery_courses")
    .set({ ...columns, version: sql<number>`version + 1` })
    .where("endpoint_id", "=", endpointId)
    .execute();
}

async function findDelivery({ db }: StoreContext, deliveryId: string): ReturnType<DeliveryStore["find"]> {
  const waiting = await db
    .selectFrom("waiting_deliveries")
    .selectAll()
    .where("id", "=", deliveryId)
    .executeTakeFirst();
  if (waiting !== undefined) return { endpointId: waiting.endpoint_id, ...eventOf(waiting) };
  const attempt = await db
    .selectFrom("delivery_attempts")
    .selectAll()
    .where("delivery_id", "=", deliveryId)
    .limit(1)
    .executeTakeFirst();
  return attempt === undefined ? null : { endpointId: attempt.endpoint_id, ...eventOf(attempt) };
}
