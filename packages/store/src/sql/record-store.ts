import { parseJson } from "@svc/text/parse-json";
import type { RecordStore, RecordStores } from "../ports/record-store.ts";
import { changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import { listPage } from "./page-start.ts";
import { RECORD_TABLES } from "./record-tables.ts";
import type { StoreContext } from "./store-context.ts";

type Kind = (typeof RECORD_TABLES)[keyof RecordStores];

/** The stores of all records. */
export function createRecordStores(context: StoreContext): RecordStores {
  const stores = Object.entries(RECORD_TABLES).map(([name, kind]) => [name, recordStore(context, kind)]);
  return Object.fromEntries(stores) as RecordStores;
}

function recordStore<Item extends { readonly id: string }>(
  context: StoreContext,
  kind: Kind,
): RecordStore<Item> {
  const { table, cursor, most } = kind;
  return {
    create: async ({ org, auditRow, record }) =>
      changeControl(context, queueKey(org, "ordinary"), async ({ trx, ...control }) => {
        const { last, count } = await trx
          .selectFrom(table)
          .select(({ fn }) => [fn.max("number").as("last"), fn.countAll<number>().as("count")])
          .where("org", "=", org)
          .executeTakeFirstOrThrow();
        if (Number(count) >= most) return { kind: "too_many" };
        const number = Number(last ?? 0) + 1;
        await trx
          .insertInto(table)
          .values({ org, id: record.id, number, ...columnsOf(kind, record) })
          .execute();
        await control.announce({ org, auditRows: [auditRow], changes: [] });
        return { kind: "created" };
      }),
    replace: async ({ org, auditRow, before, record }) =>
      changeControl(context, queueKey(org, "ordinary"), async ({ trx, ...control }) => {
        const row = await readRow(trx, kind, { org, id: before.id });
        if (row === undefined) return { kind: "not_found" };
        if (!isSame(row, before)) return { kind: "changed_before" };
        await trx
          .updateTable(table)
          .set(columnsOf(kind, record))
          .where("org", "=", org)
          .where("id", "=", before.id)
          .execute();
        await control.announce({ org, auditRows: [auditRow], changes: [] });
        return { kind: "replaced" };
      }),
    remove: async (change) => removeRecord(context, kind, change),
    find: async (org, id) => {
      const row = await readRow(context.db, kind, { org, id });
      return row === undefined ? null : parse<Item>(row);
    },
    inForce: async (org) => (await inForce(context, kind).where("org", "=", org).execute()).map(parse<Item>),
    everyInForce: async () => {
      const rows = await inForce(context, kind).select("org").execute();
      return rows.map(({ org, record }) => ({ org, record: parse<Item>({ record }) }));
    },
    every: async () => {
      const rows = await context.db.selectFrom(table).select(["org", "record"]).execute();
      return rows.map(({ org, record }) => ({ org, record: parse<Item>({ record }) }));
    },
    list: async (org, page) =>
      listPage(context.db.selectFrom(table).select(["number", "record"]).where("org", "=", org), page, {
        kind: cursor,
        column: "number",
        order: "newest_first",
        key: ({ number }) => number,
        item: parse<Item>,
      }),
  };
}

async function removeRecord<Item extends { readonly id: string }>(
  context: StoreContext,
  kind: Kind,
  { org, auditRow, before }: Parameters<RecordStore<Item>["remove"]>[0],
): ReturnType<RecordStore<Item>["remove"]> {
  return changeControl(context, queueKey(org, "ordinary"), async ({ trx, ...control }) => {
    const { id } = before;
    const row = await readRow(trx, kind, { org, id });
    if (row === undefined) return { kind: "not_found" };
    if (!isSame(row, before)) return { kind: "changed_before" };
    await trx.deleteFrom(kind.table).where("org", "=", org).where("id", "=", id).execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "removed" };
  });
}

function readRow(
  db: StoreContext["db"],
  { table }: Kind,
  { org, id }: { readonly org: string; readonly id: string },
) {
  return db.selectFrom(table).select("record").where("org", "=", org).where("id", "=", id).executeTakeFirst();
}

function isSame(row: { readonly record: string }, before: object): boolean {
  return JSON.stringify(parse(row)) === JSON.stringify(before);
}

function inForce({ db }: StoreContext, { table, ended }: Kind) {
  return db.selectFrom(table).select("record").where(ended, "is", null).orderBy("number");
}

function columnsOf({ ended }: Kind, record: object) {
  return { [ended]: (record as Record<Kind["ended"], string | null>)[ended], record: JSON.stringify(record) };
}

/** The store wrote the text from a record. */
function parse<Item>({ record }: { readonly record: string }): Item {
  return parseJson(record) as Item;
}
