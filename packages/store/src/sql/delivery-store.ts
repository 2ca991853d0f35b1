import { parseJson } from "@svc/text/parse-json";
import type { Insertable, Kysely, Selectable } from "kysely";
import {
  ATTEMPTS_KEPT_MS,
  type AttemptFilter,
  type ChangedCourse,
  type CourseChange,
  type DeliveryAttempt,
  type DeliveryCourse,
  type DeliveryStore,
  SUCCESSES_KEPT,
} from "../ports/delivery-store.ts";
import type { PageRequest } from "../ports/page.ts";
import { createDeliveryReplays } from "./delivery-replays.ts";
import { listPage } from "./page-start.ts";
import { inTransaction, type StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";
import { eventOf, keepDead, putWaiting, waitingOf } from "./waiting-deliveries.ts";

/** The deliveries to endpoints of webhooks. Nothing here changes control state, or leaves an audit row. */
export function createDeliveryStore(context: StoreContext): DeliveryStore {
  const { db } = context;
  return {
    begin: async (endpointId, course) => {
      const row = { endpoint_id: endpointId, version: 1, ...columnsOf(course) };
      await db
        .insertInto("delivery_courses")
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    course: async (endpointId) => {
      const row = await db
        .selectFrom("delivery_courses")
        .selectAll()
        .where("endpoint_id", "=", endpointId)
        .executeTakeFirst();
      if (row === undefined) return null;
      return { version: row.version, course: courseOf(row), dueAtMs: await dueAtMs(db, endpointId) };
    },
    change: async (change) => inTransaction(context, async ({ trx }) => changeCourse(trx, change)),
    due: async (endpointId, nowMs, limit) => {
      const rows = await db
        .selectFrom("waiting_deliveries")
        .selectAll()
        .where("endpoint_id", "=", endpointId)
        .where("next_at_ms", "<=", nowMs)
        .orderBy("next_at_ms")
        .limit(limit)
        .execute();
      return rows.map(waitingOf);
    },
    ...createDeliveryReplays(context),
    counts: async (endpointId) => countWaiting(context, endpointId),
    deadCounts: async () => countDead(context),
    waiting: async (endpointId, filter, page) => listWaiting(context, endpointId, { filter, page }),
    attempts: async (endpointId, filter, page) => listAttempts(context, endpointId, { filter, page }),
    remove: async (endpointId) =>
      inTransaction(context, async ({ trx }) => {
        for (const table of ["delivery_courses", "waiting_deliveries", "delivery_attempts"] as const)
          await trx.deleteFrom(table).where("endpoint_id", "=", endpointId).execute();
      }),
  };
}

async function countDead({ db }: StoreContext): ReturnType<DeliveryStore["deadCounts"]> {
  const rows = db
    .selectFrom("waiting_deliveries")
    .select(({ fn }) => ["endpoint_id", fn.countAll<number>().as("dead")])
    .where("next_at_ms", "is", null)
    .groupBy("endpoint_id");
  return new Map((await rows.execute()).map(({ endpoint_id, dead }) => [endpoint_id, Number(dead)]));
}

async function countWaiting({ db }: StoreContext, endpointId: string): ReturnType<DeliveryStore["counts"]> {
  const rows = db.selectFrom("waiting_deliveries").where("endpoint_id", "=", endpointId);
  const { waiting, oldest } = await rows
    .select(({ fn }) => [fn.countAll<number>().as("waiting"), fn.min("event_at_ms").as("oldest")])
    .where("next_at_ms", "is not", null)
    .executeTakeFirstOrThrow();
  const { dead } = await rows
    .select(({ fn }) => fn.countAll<number>().as("dead"))
    .where("next_at_ms", "is", null)
    .executeTakeFirstOrThrow();
  const oldestAtMs = Number(waiting) === 0 ? null : Number(oldest);
  return { waiting: Number(waiting), dead: Number(dead), oldestAtMs };
}

async function listWaiting(
  { db }: StoreContext,
  endpointId: string,
  { filter, page }: { readonly filter: Parameters<DeliveryStore["waiting"]>[1]; readonly page: PageRequest },
): ReturnType<DeliveryStore["waiting"]> {
  const rows = db
    .selectFrom("waiting_deliveries")
    .selectAll()
    .where("endpoint_id", "=", endpointId)
    .where("event_at_ms", ">=", filter.sinceMs)
    .where("next_at_ms", filter.isDead ? "is" : "is not", null);
  return listPage(rows, page, {
    kind: "waiting-delivery",
    column: "id",
    order: "by_id",
    key: ({ id }) => id,
    item: waitingOf,
  });
}

interface ListRequest {
  readonly filter: AttemptFilter;
  readonly page: PageRequest;
}

async function listAttempts(
  { db }: StoreContext,
  endpointId: string,
  { filter: { failed, sinceMs }, page }: ListRequest,
): ReturnType<DeliveryStore["attempts"]> {
  let query = db
    .selectFrom("delivery_attempts")
    .selectAll()
    .where("endpoint_id", "=", endpointId)
    .where("at_ms", ">=", sinceMs);
  if (failed !== null) query = query.where("fault", failed ? "is not" : "is", null);
  return listPage(query, page, {
    kind: "delivery",
    column: "number",
    order: "newest_first",
    key: ({ number }) => number,
    item: attemptOf,
  });
}

async function changeCourse(trx: Kysely<Tables>, change: CourseChange): Promise<ChangedCourse> {
  const { endpointId, course, attempts, waiting, settled } = change;
  const version = change.version + 1;
  const { numUpdatedRows } = await trx
    .updateTable("delivery_courses")
    .set({ version, ...columnsOf(course) })
    .where("endpoint_id", "=", endpointId)
    .where("version", "=", change.version)
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) return { kind: "superseded" };
  await putWaiting(trx, endpointId, waiting);
  if (settled.length > 0)
    await trx
      .deleteFrom("waiting_deliveries")
      .where("endpoint_id", "=", endpointId)
      .where("id", "in", settled)
      .execute();
  await appendAttempts(trx, change);
  if (attempts.length + waiting.length > 0) await keepDead(trx, change);
  return { kind: "changed", version, dueAtMs: await dueAtMs(trx, endpointId) };
}

async function appendAttempts(trx: Kysely<Tables>, { endpointId, attempts }: CourseChange): Promise<void> {
  const newest = attempts.at(-1);
  if (newest === undefined) return;
  const last = await trx
    .selectFrom("delivery_attempts")
    .select(({ fn }) => fn.max("number").as("number"))
    .where("endpoint_id", "=", endpointId)
    .executeTakeFirstOrThrow();
  const first = Number(last.number ?? 0) + 1;
  await trx
    .insertInto("delivery_attempts")
    .values(attempts.map((attempt, index) => attemptRow(endpointId, first + index, attempt)))
    .execute();
  await trx
    .deleteFrom("delivery_attempts")
    .where("at_ms", "<", newest.atMs - ATTEMPTS_KEPT_MS)
    .execute();
  const eldest = await trx
    .selectFrom("delivery_attempts")
    .select("number")
    .where("endpoint_id", "=", endpointId)
    .where("fault", "is", null)
    .orderBy("number", "desc")
    .offset(SUCCESSES_KEPT)
    .limit(1)
    .executeTakeFirst();
  if (eldest !== undefined)
    await trx
      .deleteFrom("delivery_attempts")
      .where("endpoint_id", "=", endpointId)
      .where("fault", "is", null)
      .where("number", "<=", eldest.number)
      .execute();
}

async function dueAtMs(db: Kysely<Tables>, endpointId: string): Promise<number | null> {
  const row = await db
    .selectFrom("waiting_deliveries")
    .select("next_at_ms")
    .where("endpoint_id", "=", endpointId)
    .where("next_at_ms", "is not", null)
    .orderBy("next_at_ms")
    .limit(1)
    .executeTakeFirst();
  return row?.next_at_ms ?? null;
}

function courseOf(row: Selectable<Tables["delivery_courses"]>): DeliveryCourse {
  return {
    positions: new Map(Object.entries(parseJson(row.positions) as Readonly<Record<string, number>>)),
    failures: row.failures,
    failingSinceMs: row.failing_since_ms,
    probeAtMs: row.probe_at_ms,
    lastSuccessAtMs: row.last_success_at_ms,
    lastFailureAtMs: row.last_failure_at_ms,
    rowsLost: row.rows_lost,
  };
}

function columnsOf(course: DeliveryCourse) {
  return {
    positions: JSON.stringify(Object.fromEntries(course.positions)),
    failures: course.failures,
    failing_since_ms: course.failingSinceMs,
    probe_at_ms: course.probeAtMs,
    last_success_at_ms: course.lastSuccessAtMs,
    last_failure_at_ms: course.lastFailureAtMs,
    rows_lost: course.rowsLost,
  };
}

function attemptOf(row: Selectable<Tables["delivery_attempts"]>): DeliveryAttempt {
  return {
    deliveryId: row.delivery_id,
    ...eventOf(row),
    atMs: row.at_ms,
    latencyMs: row.latency_ms,
    status: row.status,
    fault: row.fault,
    answer: row.answer,
  };
}

function attemptRow(
  endpoint_id: string,
  number: number,
  { deliveryId, eventId, type, row, atMs, latencyMs, ...rest }: DeliveryAttempt,
): Insertable<Tables["delivery_attempts"]> {
  const names = { delivery_id: deliveryId, event_id: eventId, type, log_id: row.logId, seq: row.seq };
  return { endpoint_id, number, ...names, at_ms: atMs, latency_ms: latencyMs, ...rest };
}
