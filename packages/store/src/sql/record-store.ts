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
  const found = (db: StoreContext["db"], org: string, id: string) =>
    db.selectFrom(table).select("record").where("org", "=", org).where("id", "=", id).executeTakeFirst();
  return {
    create: async ({ org, auditRow, record }) =>
      changeControl(context, queueKey(org, "ordinary"), async ({ trx, ...control }) => {
        const { last } = await trx
          .selectFrom(table)
          .select((query) => query.fn.max("number").as("last"))
          .where("org", "=", org)
          .executeTakeFirstOrThrow();
        const number = Number(last ?? 0) + 1;
        if (number > most) return { kind: "too_many" };
        await trx
          .insertInto(table)
          .values({ org, id: record.id, number, ...columnsOf(kind, record) })
          .execute();
        await control.announce({ org, auditRows: [auditRow], changes: [] });
        return { kind: "created" };
      }),
    replace: async ({ org, auditRow, before, record }) =>
      changeControl(context, queueKey(org, "ordinary"), async ({ trx, ...control }) => {
        const row = await found(trx, org, before.id);
        if (row === undefined) return { kind: "not_found" };
        if (JSON.stringify(parse(row)) !== JSON.stringify(before)) return { kind: "changed_before" };
        await trx
          .updateTable(table)
          .set(columnsOf(kind, record))
          .where("org", "=", org)
          .where("id", "=", before.id)
          .execute();
        await control.announce({ org, auditRows: [auditRow], changes: [] });
        return { kind: "replaced" };
      }),
    find: async (org, id) => {
      const row = await found(context.db, org, id);
      return row === undefined ? null : parse<Item>(row);
    },
    inForce: async (org) => (await inForce(context, kind, org)).map(parse<Item>),
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

function inForce({ db }: StoreContext, { table, ended }: Kind, org: string) {
  const records = db.selectFrom(table).select("record").where("org", "=", org);
  return records.where(ended, "is", null).orderBy("number").execute();
}

function columnsOf({ ended }: Kind, record: object) {
  return { [ended]: (record as Record<Kind["ended"], string | null>)[ended], record: JSON.stringify(record) };
}

/** The store wrote the text from a record. */
function parse<Item>({ record }: { readonly record: string }): Item {
  return parseJson(record) as Item;
}
