import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import type { NamespaceRecord } from "@svc/contract/namespace";
import { parseJson } from "@svc/text/parse-json";
import type { Kysely, Selectable } from "kysely";
import type { NamespaceStore } from "../ports/namespace-store.ts";
import { changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import { namespaceUse } from "./namespace-use.ts";
import { cutPage, textStart } from "./page-start.ts";
import type { StoreContext, TransactionContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

/** The namespace that is there without being created, as long as nobody has changed it. */
const UNTOUCHED_DEFAULT: NamespaceRecord = {
  id: DEFAULT_NAMESPACE,
  name: DEFAULT_NAMESPACE,
  description: null,
  created_at: null,
  created_by: null,
  updated_at: null,
};

/**
 * Changes hold the lock on control state, as changes of assignments and switches do, so that what a removal
 * finds unused stays unused until it commits.
 */
export function createNamespaceStore(context: StoreContext): NamespaceStore {
  return {
    createNamespace: async (change) => create(context, change),
    updateNamespace: async (change) => update(context, change),
    removeNamespace: async (change) => remove(context, change),
    namespace: async (org, id) => find(context.db, org, id),
    namespaces: async (org, page) => list(context, org, page),
    putRogueDetection: async (change) => putSettings(context, change),
    rogueDetection: async (org, id) => findSettings(context, org, id),
    everyRogueDetection: async () =>
      context.db
        .selectFrom("rogue_detection_settings")
        .select(["org", "namespace_id as namespace", "settings"])
        .execute(),
  };
}

type Creation = Parameters<NamespaceStore["createNamespace"]>[0];
type Update = Parameters<NamespaceStore["updateNamespace"]>[0];
type Removal = Parameters<NamespaceStore["removeNamespace"]>[0];
type Setting = Parameters<NamespaceStore["putRogueDetection"]>[0];

async function create(
  context: StoreContext,
  { org, auditRow, record }: Creation,
): ReturnType<NamespaceStore["createNamespace"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const existing = await find(control.trx, org, record.id);
    if (existing !== null) return { kind: "existing", record: existing };
    if ((await count(control, org)) >= control.limits.namespaces) return { kind: "too_many" };
    await control.trx
      .insertInto("namespaces")
      .values({ org, ...record })
      .execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "created" };
  });
}

async function update(
  context: StoreContext,
  { org, auditRow, id, update: changed, updatedAt }: Update,
): ReturnType<NamespaceStore["updateNamespace"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const found = await find(control.trx, org, id);
    if (found === null) return { kind: "not_found" };
    const { name = found.name, description = found.description } = changed;
    const record = { ...found, name, description, updated_at: updatedAt };
    await control.trx
      .insertInto("namespaces")
      .values({ org, ...record })
      .onConflict((conflict) =>
        conflict.columns(["org", "id"]).doUpdateSet({ name, description, updated_at: updatedAt }),
      )
      .execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "updated", record };
  });
}

async function remove(
  context: StoreContext,
  { org, auditRow, id }: Removal,
): ReturnType<NamespaceStore["removeNamespace"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    if (id === DEFAULT_NAMESPACE) return { kind: "permanent" };
    const { trx } = control;
    const record = await find(trx, org, id);
    if (record === null) return { kind: "not_found" };
    const use = await namespaceUse(trx, org, id);
    if (use.assignments.length + use.killSwitches.length + use.agents.length + use.keys.length > 0)
      return { kind: "in_use", use };
    await trx.deleteFrom("namespaces").where("org", "=", org).where("id", "=", id).execute();
    await trx
      .deleteFrom("rogue_detection_settings")
      .where("org", "=", org)
      .where("namespace_id", "=", id)
      .execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "removed", record };
  });
}

async function count({ trx }: TransactionContext, org: string): Promise<number> {
  const { total } = await trx
    .selectFrom("namespaces")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("org", "=", org)
    .executeTakeFirstOrThrow();
  return total;
}

async function find(db: Kysely<Tables>, org: string, id: string): Promise<NamespaceRecord | null> {
  const row = await namespacesOf(db, org).where("id", "=", id).executeTakeFirst();
  if (row !== undefined) return namespaceRecord(row);
  return id === DEFAULT_NAMESPACE ? UNTOUCHED_DEFAULT : null;
}

async function list(
  { db }: StoreContext,
  org: string,
  page: Parameters<NamespaceStore["namespaces"]>[1],
): ReturnType<NamespaceStore["namespaces"]> {
  const start = textStart("namespace", page);
  if (start === "bad_cursor") return "bad_cursor";
  let query = namespacesOf(db, org)
    .orderBy("id")
    .limit(page.limit + 1);
  if (start.kind === "after") query = query.where("id", ">", start.key);
  const found = (await query.execute()).map(namespaceRecord);
  const isPast = start.kind === "after" && start.key >= DEFAULT_NAMESPACE;
  const isStored = found.some(({ id }) => id === DEFAULT_NAMESPACE);
  const rows = isPast || isStored ? found : [...found, UNTOUCHED_DEFAULT].toSorted(byId);
  return cutPage(rows, page.limit, {
    kind: "namespace",
    key: ({ id }) => id,
    item: (record) => record,
  });
}

/** The order of bytes in UTF-8, which both databases use. */
function byId(one: NamespaceRecord, other: NamespaceRecord): number {
  return Buffer.compare(Buffer.from(one.id), Buffer.from(other.id));
}

async function putSettings(
  context: StoreContext,
  { org, auditRow, id, stored }: Setting,
): ReturnType<NamespaceStore["putRogueDetection"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    if ((await find(control.trx, org, id)) === null) return { kind: "not_found" };
    const columns = {
      settings: JSON.stringify(stored.settings),
      updated_at: stored.updatedAt,
      updated_by: stored.updatedBy,
    };
    await control.trx
      .insertInto("rogue_detection_settings")
      .values({ org, namespace_id: id, ...columns })
      .onConflict((conflict) => conflict.columns(["org", "namespace_id"]).doUpdateSet(columns))
      .execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "put" };
  });
}

async function findSettings(
  { db }: StoreContext,
  org: string,
  id: string,
): ReturnType<NamespaceStore["rogueDetection"]> {
  if ((await find(db, org, id)) === null) return { kind: "not_found" };
  const row = await db
    .selectFrom("rogue_detection_settings")
    .selectAll()
    .where("org", "=", org)
    .where("namespace_id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return { kind: "found", stored: null };
  // Loaded here, because each thread of the store would otherwise build every schema at its start.
  const { storedRogueDetection } = await import("@svc/contract/rogue-detection");
  const settings = storedRogueDetection(parseJson(row.settings));
  return { kind: "found", stored: { settings, updatedAt: row.updated_at, updatedBy: row.updated_by } };
}

function namespacesOf(db: Kysely<Tables>, org: string) {
  return db.selectFrom("namespaces").selectAll().where("org", "=", org);
}

function namespaceRecord(row: Selectable<Tables["namespaces"]>): NamespaceRecord {
  const { id, name, description, created_at, created_by, updated_at } = row;
  return { id, name, description, created_at, created_by, updated_at };
}
