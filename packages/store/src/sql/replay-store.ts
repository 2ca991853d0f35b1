import type { ReplayRecord } from "@svc/contract/replay";
import { parseJson } from "@svc/text/parse-json";
import type { Selectable } from "kysely";
import type { LeftReplay, ReplayStore, StoredReplay } from "../ports/replay-store.ts";
import { listPage } from "./page-start.ts";
import { inTransaction, type StoreContext, type TransactionContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

export function createReplayStore(context: StoreContext): ReplayStore {
  const { db } = context;
  return {
    createReplay: async (org, replay, work) =>
      inTransaction(context, async (inside) => create(inside, { org, replay, work })),
    replay: async (org, id) => {
      const row = await db
        .selectFrom("replays")
        .selectAll()
        .where("org", "=", org)
        .where("id", "=", id)
        .executeTakeFirst();
      return row === undefined ? null : storedReplay(row);
    },
    replays: async (org, page) =>
      listPage(db.selectFrom("replays").selectAll().where("org", "=", org), page, {
        kind: "replay",
        column: "number",
        order: "newest_first",
        key: ({ number }) => number,
        item: storedReplay,
      }),
    updateReplay: async (org, replay) => {
      const updated = await db
        .updateTable("replays")
        .set({ ...columnsOf(replay), ...(isActive(replay) ? {} : { work: null }) })
        .where("org", "=", org)
        .where("id", "=", replay.record.id)
        .where("active", "=", 1)
        .returning("id")
        .executeTakeFirst();
      return updated !== undefined;
    },
    removeReplay: async (org, id) => {
      await db
        .deleteFrom("replays")
        .where("org", "=", org)
        .where("id", "=", id)
        .where("active", "=", 0)
        .execute();
    },
    takeUpReplays: async (owner) => {
      const rows = await db
        .updateTable("replays")
        .set((eb) => ({ starts: eb("starts", "+", 1) }))
        .where("owner", "=", owner)
        .where("active", "=", 1)
        .returningAll()
        .execute();
      return rows.toSorted((one, other) => one.number - other.number).map(leftReplay);
    },
  };
}

async function create(
  { trx, limits }: TransactionContext,
  { org, replay, work }: { readonly org: string; readonly replay: StoredReplay; readonly work: string },
): ReturnType<ReplayStore["createReplay"]> {
  const known = await trx
    .selectFrom("replays")
    .select(["id", "number", "active"])
    .where("org", "=", org)
    .orderBy("number", "desc")
    .execute();
  const active = known.filter((row) => row.active === 1).length;
  if (active >= limits.activeReplays) return { kind: "too_many", active };
  // One place is for the new one.
  for (const { id } of known.filter((row) => row.active === 0).slice(limits.replays - active - 1))
    await trx.deleteFrom("replays").where("org", "=", org).where("id", "=", id).execute();
  await trx
    .insertInto("replays")
    .values({
      org,
      id: replay.record.id,
      number: (known[0]?.number ?? 0) + 1,
      work,
      starts: 1,
      ...columnsOf(replay),
    })
    .execute();
  return { kind: "created" };
}

function isActive({ record: { status } }: StoredReplay): boolean {
  return status === "queued" || status === "running";
}

function leftReplay(row: Selectable<Tables["replays"]>): LeftReplay {
  return { org: row.org, replay: storedReplay(row), work: row.work, starts: row.starts };
}

function columnsOf(replay: StoredReplay) {
  const { record, owner, updatedAtMs } = replay;
  const active = isActive(replay) ? 1 : 0;
  return { owner, active, updated_at_ms: updatedAtMs, record: JSON.stringify(record) };
}

function storedReplay({ record, owner, updated_at_ms }: Selectable<Tables["replays"]>): StoredReplay {
  return { record: parseJson(record) as ReplayRecord, owner, updatedAtMs: updated_at_ms };
}
