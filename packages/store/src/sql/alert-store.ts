import type { AlertRecord } from "@svc/contract/alert";
import { parseJson } from "@svc/text/parse-json";
import { type AlertStore, MAX_OPEN_ALERTS, RESOLVED_ALERTS_KEPT } from "../ports/alert-store.ts";
import { type ControlTransaction, changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import { listPage } from "./page-start.ts";
import type { StoreContext } from "./store-context.ts";

export function createAlertStore(context: StoreContext): AlertStore {
  const { db } = context;
  return {
    // The lock on control state decides between two processes that open the same alert.
    open: async (change) =>
      changeControl(context, queueKey(change.org, "ordinary"), async (control) => open(control, change)),
    change: async ({ org, auditRow, before, record }) =>
      changeControl(context, queueKey(org, "ordinary"), async ({ trx, ...control }) => {
        const changed = await trx
          .updateTable("alerts")
          .set({ status: record.status, record: JSON.stringify(record) })
          .where("org", "=", org)
          .where("id", "=", record.id)
          .where("status", "=", before)
          .returning("id")
          .executeTakeFirst();
        if (changed === undefined) return { kind: "moved" };
        await control.announce({ org, auditRows: [auditRow], changes: [] });
        return { kind: "changed" };
      }),
    find: async (org, id) => {
      const found = db.selectFrom("alerts").select("record").where("org", "=", org).where("id", "=", id);
      const row = await found.executeTakeFirst();
      return row === undefined ? null : parse(row);
    },
    unresolved: async () => {
      const found = db.selectFrom("alerts").select(["org", "record"]).where("status", "<>", "resolved");
      return (await found.execute()).map((row) => ({ org: row.org, record: parse(row) }));
    },
    list: async (org, status, page) => {
      const alerts = db.selectFrom("alerts").select(["number", "record"]).where("org", "=", org);
      const listed = status === null ? alerts : alerts.where("status", "=", status);
      return listPage(listed, page, {
        kind: "alert",
        column: "number",
        order: "newest_first",
        key: ({ number }) => number,
        item: parse,
      });
    },
  };
}

async function open(
  { trx, ...control }: ControlTransaction,
  { org, auditRow, record }: Parameters<AlertStore["open"]>[0],
): ReturnType<AlertStore["open"]> {
  const { id, condition, subject, status } = record;
  const unresolved = await trx
    .selectFrom("alerts")
    .select(["condition", "subject"])
    .where("org", "=", org)
    .where("status", "<>", "resolved")
    .execute();
  if (unresolved.some((one) => one.condition === condition && one.subject === subject))
    return { kind: "known" };
  if (unresolved.length >= MAX_OPEN_ALERTS) return { kind: "too_many" };
  const { last } = await trx
    .selectFrom("alerts")
    .select((query) => query.fn.max("number").as("last"))
    .where("org", "=", org)
    .executeTakeFirstOrThrow();
  const number = Number(last ?? 0) + 1;
  const row = { org, id, number, condition, subject, status, record: JSON.stringify(record) };
  await trx.insertInto("alerts").values(row).execute();
  await trx
    .deleteFrom("alerts")
    .where("org", "=", org)
    .where("status", "=", "resolved")
    .where("number", "<=", number - RESOLVED_ALERTS_KEPT)
    .execute();
  await control.announce({ org, auditRows: [auditRow], changes: [] });
  return { kind: "opened" };
}

/** The store wrote the text from a record. */
function parse({ record }: { readonly record: string }): AlertRecord {
  return parseJson(record) as AlertRecord;
}
