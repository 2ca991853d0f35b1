import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { LegalHoldStore } from "../ports/legal-hold-store.ts";
import { changeControl } from "./change-control.ts";
import { laneOf } from "./control-turns.ts";
import { cutPage, numberStart } from "./page-start.ts";
import type { StoreContext } from "./store-context.ts";

/** Holds of one organization, lifted ones included, as count: every removal looks at those in force. */
const MAX_LEGAL_HOLDS = 1_000;

export function createLegalHoldStore(context: StoreContext): LegalHoldStore {
  return {
    placeHold: async (change) => place(context, change),
    liftHold: async (change) => lift(context, change),
    legalHold: async (org, id) => find(context.db, org, id),
    legalHolds: async (org, page) => list(context, org, page),
  };
}

async function place(
  context: StoreContext,
  { org, auditRow, record }: Parameters<LegalHoldStore["placeHold"]>[0],
): ReturnType<LegalHoldStore["placeHold"]> {
  return changeControl(context, laneOf(org, "ordinary"), async (control) => {
    const { last } = await control.trx
      .selectFrom("legal_holds")
      .select((query) => query.fn.max("number").as("last"))
      .where("org", "=", org)
      .executeTakeFirstOrThrow();
    const number = Number(last ?? 0) + 1;
    if (number > MAX_LEGAL_HOLDS) return { kind: "too_many" };
    await control.trx
      .insertInto("legal_holds")
      .values({ org, id: record.id, number, lifted_at: null, record: JSON.stringify(record) })
      .execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "placed" };
  });
}

async function lift(
  context: StoreContext,
  { org, auditRow, id, liftedAt, liftedBy }: Parameters<LegalHoldStore["liftHold"]>[0],
): ReturnType<LegalHoldStore["liftHold"]> {
  return changeControl(context, laneOf(org, "ordinary"), async (control) => {
    const found = await find(control.trx, org, id);
    if (found === null) return { kind: "not_found" };
    if (found.lifted_at !== null) return { kind: "lifted_before", record: found };
    const record = { ...found, lifted_at: liftedAt, lifted_by: liftedBy };
    await control.trx
      .updateTable("legal_holds")
      .set({ lifted_at: liftedAt, record: JSON.stringify(record) })
      .where("org", "=", org)
      .where("id", "=", id)
      .execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "lifted", record };
  });
}

async function find(db: StoreContext["db"], org: string, id: string): Promise<LegalHoldRecord | null> {
  const row = await db
    .selectFrom("legal_holds")
    .select("record")
    .where("org", "=", org)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : parseRecord(row.record);
}

async function list(
  { db }: StoreContext,
  org: string,
  page: Parameters<LegalHoldStore["legalHolds"]>[1],
): ReturnType<LegalHoldStore["legalHolds"]> {
  const start = numberStart("legal-hold", page);
  if (start === "bad_cursor") return start;
  const rows = await db
    .selectFrom("legal_holds")
    .select(["number", "record"])
    .where("org", "=", org)
    .$if(start.kind === "after", (query) =>
      query.where("number", "<", start.kind === "after" ? start.key : 0),
    )
    .orderBy("number", "desc")
    .limit(page.limit + 1)
    .execute();
  const parts = { kind: "legal-hold", key: ({ number }: Row) => number, item: itemOf } as const;
  return cutPage(rows, page.limit, parts);
}

interface Row {
  readonly number: number;
  readonly record: string;
}

function itemOf({ record }: Row): LegalHoldRecord {
  return parseRecord(record);
}

/** The store wrote the text from a record. */
function parseRecord(text: string): LegalHoldRecord {
  return JSON.parse(text) as LegalHoldRecord;
}
