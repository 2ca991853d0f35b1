import type { GuardrailRecord } from "@svc/contract/guardrail";
import { parseJson } from "@svc/text/parse-json";
import type { Kysely } from "kysely";
import type { ControlChange } from "../ports/control-change.ts";
import type { GuardedVersion, GuardrailStore } from "../ports/guardrail-store.ts";
import { appendVersion } from "./append-policy-version.ts";
import { type ControlTransaction, changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import { movedGuardrail, usersOf } from "./guardrail-uses.ts";
import { listPage } from "./page-start.ts";
import { guardedPolicies } from "./policy-rows.ts";
import type { StoreContext } from "./store-context.ts";
import type { Tables } from "./tables.ts";

/** Most policies that a refusal names, as count. */
const MAX_NAMED = 20;

export function createGuardrailStore(context: StoreContext): GuardrailStore {
  const { db } = context;
  return {
    createGuardrail: async (change) => create(context, change),
    updateGuardrail: async (change) => update(context, change),
    removeGuardrail: async (change) => remove(context, change),
    guardrail: async (org, id) => {
      const row = await latest(db, org).where("g.id", "=", id).executeTakeFirst();
      return row === undefined ? null : parseRecord(row.record);
    },
    guardrailVersion: async (org, id, version) => {
      const row = await db
        .selectFrom("guardrail_versions")
        .select("record")
        .where("org", "=", org)
        .where("id", "=", id)
        .where("version", "=", version)
        .executeTakeFirst();
      return row === undefined ? null : parseRecord(row.record);
    },
    guardrails: async (org, page) =>
      listPage(latest(db, org), page, {
        kind: "guardrail",
        column: "g.id",
        order: "by_id",
        key: ({ id }) => id,
        item: ({ record }) => parseRecord(record),
      }),
    everyGuardrail: async (org) => {
      const rows = await latest(db, org).orderBy("g.id").execute();
      return rows.map(({ record }) => parseRecord(record));
    },
    guardedPolicies: async (org, id) => guardedPolicies(db, org, id),
  };
}

type Creation = Parameters<GuardrailStore["createGuardrail"]>[0];
type Update = Parameters<GuardrailStore["updateGuardrail"]>[0];
type Updated = Awaited<ReturnType<GuardrailStore["updateGuardrail"]>>;
type Removal = Parameters<GuardrailStore["removeGuardrail"]>[0];

/** The latest version of each that was not removed. */
function latest(db: Kysely<Tables>, org: string) {
  return db
    .selectFrom("guardrails as g")
    .innerJoin("guardrail_versions as v", (join) =>
      join
        .onRef("v.org", "=", "g.org")
        .onRef("v.id", "=", "g.id")
        .onRef("v.version", "=", "g.latest_version"),
    )
    .select(["g.id", "v.record"])
    .where("g.org", "=", org)
    .where("g.removed", "=", 0);
}

async function headOf({ trx }: ControlTransaction, org: string, id: string) {
  return trx
    .selectFrom("guardrails")
    .select(["latest_version", "removed"])
    .where("org", "=", org)
    .where("id", "=", id)
    .executeTakeFirst();
}

async function create(
  context: StoreContext,
  { org, auditRow, guardrail }: Creation,
): ReturnType<GuardrailStore["createGuardrail"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const { trx, limits } = control;
    const { id, version } = guardrail;
    const head = await headOf(control, org, id);
    if (head?.removed === 0) return { kind: "existing" };
    const next = (head?.latest_version ?? 0) + 1;
    if (version !== next) return { kind: "version_taken", next };
    const { total } = await trx
      .selectFrom("guardrails")
      .select((query) => query.fn.countAll<number>().as("total"))
      .where("org", "=", org)
      .where("removed", "=", 0)
      .executeTakeFirstOrThrow();
    if (Number(total) >= limits.guardrails) return { kind: "too_many" };
    if (head === undefined)
      await trx.insertInto("guardrails").values({ org, id, latest_version: version, removed: 0 }).execute();
    await insertRecord(control, org, guardrail);
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "created" };
  });
}

/** Makes the version the latest one. */
async function insertRecord(
  { trx }: ControlTransaction,
  org: string,
  guardrail: GuardrailRecord,
): Promise<void> {
  const { id, version } = guardrail;
  const record = JSON.stringify(guardrail);
  await trx.insertInto("guardrail_versions").values({ org, id, version, record }).execute();
  await trx
    .updateTable("guardrails")
    .set({ latest_version: version, removed: 0 })
    .where("org", "=", org)
    .where("id", "=", id)
    .execute();
}

async function update(
  context: StoreContext,
  { org, auditRow, guardrail, policies }: Update,
): ReturnType<GuardrailStore["updateGuardrail"]> {
  const lane = queueKey(org, "ordinary");
  const changed = changeControl<Updated>(context, lane, async (control) => {
    const head = await headOf(control, org, guardrail.id);
    if (head === undefined || head.removed === 1) return { kind: "not_found" };
    if (head.latest_version !== guardrail.version - 1) return { kind: "moved" };
    if (!(await areUsers(control, { org, id: guardrail.id, policies }))) return { kind: "users_moved" };
    await insertRecord(control, org, guardrail);
    for (const { policy } of policies)
      if ((await movedGuardrail(control.trx, org, policy.record)) !== null) return undo();
    const changes: ControlChange[] = [];
    for (const { policy } of policies) changes.push(await appendVersion(control, { org, policy }));
    const auditRows = [auditRow, ...policies.map((one) => one.auditRow)];
    const revision = await control.announce({ org, auditRows, changes });
    return { kind: "updated", revision };
  });
  return changed.catch((error: unknown): Updated => {
    if (error instanceof UsersMoved) return { kind: "users_moved" };
    throw error;
  });
}

/** Another guardrail of one of the policies has changed: nothing of the transaction may stay. */
class UsersMoved extends Error {}

function undo(): never {
  throw new UsersMoved();
}

/** Whether these are the next versions of exactly the policies that use the guardrail. */
async function areUsers(
  { trx }: ControlTransaction,
  { org, id, policies }: { org: string; id: string; policies: readonly GuardedVersion[] },
): Promise<boolean> {
  const users = await usersOf(trx, org, id);
  const given = new Map(policies.map(({ policy: { record } }) => [record.id, record.version]));
  if (users.length !== given.size || users.some((user) => !given.has(user))) return false;
  if (users.length === 0) return true;
  const rows = await trx
    .selectFrom("policies")
    .select(["id", "latest_version"])
    .where("org", "=", org)
    .where("id", "in", users)
    .execute();
  return rows.every((row) => given.get(row.id) === row.latest_version + 1);
}

async function remove(
  context: StoreContext,
  { org, auditRow, id, version }: Removal,
): ReturnType<GuardrailStore["removeGuardrail"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const head = await headOf(control, org, id);
    if (head === undefined || head.removed === 1) return { kind: "not_found" };
    if (head.latest_version !== version) return { kind: "moved" };
    const users = await usersOf(control.trx, org, id);
    if (users.length > 0) return { kind: "in_use", count: users.length, policies: users.slice(0, MAX_NAMED) };
    await control.trx
      .updateTable("guardrails")
      .set({ removed: 1 })
      .where("org", "=", org)
      .where("id", "=", id)
      .execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "removed" };
  });
}

/** The store wrote the text from a record. */
function parseRecord(text: string): GuardrailRecord {
  return parseJson(text) as GuardrailRecord;
}
