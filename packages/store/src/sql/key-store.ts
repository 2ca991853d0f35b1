import type { KeyChange, KeyStore, KeysFull, StoredKey, StoredSecret } from "../ports/key-store.ts";
import { type ControlTransaction, changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import { findKey, isLive, isOver, isShort, parseStoredKey, trustRuleOf, writeKey } from "./key-rows.ts";
import { listPage } from "./page-start.ts";
import type { StoreContext } from "./store-context.ts";

export function createKeyStore(context: StoreContext): KeyStore {
  const { db } = context;
  return {
    createKey: async (change) => create(context, change),
    rotateKey: async (change) => rotate(context, change),
    revokeKey: async (change) => revoke(context, change),
    putBootstrapKey: async (key, auditRow, when) => putBootstrap(context, { key, auditRow, when }),
    bootstrapKeys: async () => {
      const query = db.selectFrom("keys").select("record").where("origin", "=", "bootstrap");
      const rows = await query.where("status", "=", "active").orderBy("id").execute();
      return rows.map(({ record }) => parseStoredKey(record));
    },
    hasOtherOrganization: async (org) => {
      const row = await db.selectFrom("keys").select("id").where("org", "!=", org).executeTakeFirst();
      return row !== undefined;
    },
    hasOrganization: async (org) => {
      const own = db.selectFrom("keys").select("id").where("org", "=", org);
      return (await own.where("short_until", "is", null).executeTakeFirst()) !== undefined;
    },
    key: async (id) => {
      const row = await db.selectFrom("keys").select("record").where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : parseStoredKey(row.record);
    },
    keys: async (org, page) =>
      listPage(db.selectFrom("keys").select(["id", "record"]).where("org", "=", org), page, {
        kind: "key",
        column: "id",
        order: "by_id",
        key: ({ id }) => id,
        item: ({ record }) => parseStoredKey(record),
      }),
  };
}

type Creation = Parameters<KeyStore["createKey"]>[0];
type Rotation = Parameters<KeyStore["rotateKey"]>[0];
type Revocation = Parameters<KeyStore["revokeKey"]>[0];

async function create(context: StoreContext, change: Creation): ReturnType<KeyStore["createKey"]> {
  const { key } = change;
  return changeControl(context, queueKey(change.org, "ordinary"), async (control) => {
    if (!(await actorIsLive(control, change))) return { kind: "actor_ended" };
    if ((await findKey(control, key.id)) !== null) return { kind: "id_taken" };
    if (isShort(key)) await removeEnded(control, change.at);
    const full = isShort(key)
      ? await shortKeysFull(control, key, change.at)
      : await lastingFull(control, key);
    if (full !== null) return { kind: "too_many", full };
    return { kind: "created", revision: await announceKey(control, change, key) };
  });
}

async function rotate(context: StoreContext, change: Rotation): ReturnType<KeyStore["rotateKey"]> {
  const { id, at, digest, overlapEndsAt } = change;
  return changeControl(context, queueKey(change.org, "ordinary"), async (control) => {
    if (!(await actorIsLive(control, change))) return { kind: "actor_ended" };
    const found = await findKey(control, id);
    if (found === null) return { kind: "not_found" };
    if (!isLive(found, at)) return { kind: "ended", key: found };
    const before = found.secrets.map((secret) => endBy(secret, overlapEndsAt));
    const working = before.filter(({ expires_at }) => !isOver(expires_at, at));
    if (working.length >= control.limits.keySecrets) return { kind: "too_many" };
    const key = { ...found, secrets: [...working, { digest, created_at: at, expires_at: null }] };
    return { kind: "rotated", key, revision: await announceKey(control, change, key) };
  });
}

/** A secret that ends at this time at the latest. */
function endBy(secret: StoredSecret, end: string): StoredSecret {
  return secret.expires_at !== null && isOver(secret.expires_at, end)
    ? secret
    : { ...secret, expires_at: end };
}

async function revoke(context: StoreContext, change: Revocation): ReturnType<KeyStore["revokeKey"]> {
  const { id, at, revokedBy } = change;
  return changeControl(context, queueKey(change.org, "urgent"), async (control) => {
    if (!(await actorIsLive(control, change))) return { kind: "actor_ended" };
    const found = await findKey(control, id);
    if (found === null) return { kind: "not_found" };
    if (found.revoked_at !== null) return { kind: "already_revoked", key: found };
    const key = revoked(found, at, revokedBy);
    return { kind: "revoked", key, revision: await announceKey(control, change, key) };
  });
}

/** The key without its secrets, which nothing is compared with any more. */
function revoked(key: StoredKey, at: string, by: string): StoredKey {
  return { ...key, revoked_at: at, revoked_by: by, secrets: [] };
}

interface BootstrapPut {
  readonly key: StoredKey;
  readonly auditRow: string;
  readonly when: "always" | "only first";
}

async function putBootstrap(
  context: StoreContext,
  { key: put, auditRow, when }: BootstrapPut,
): ReturnType<KeyStore["putBootstrapKey"]> {
  return changeControl(context, queueKey(put.org, "urgent"), async (control) => {
    const key: StoredKey = { ...put, origin: "bootstrap" };
    const known = await findKey(control, key.id);
    if (known !== null && known.origin !== "bootstrap") return "id_taken";
    const rows = await control.trx
      .selectFrom("keys")
      .select("record")
      .where("origin", "=", "bootstrap")
      .where("status", "=", "active")
      .where("id", "!=", key.id)
      .execute();
    if (when === "only first" && (rows.length > 0 || known !== null)) return "not_first";
    const earlier = rows.map(({ record }) => revoked(parseStoredKey(record), key.created_at, key.id));
    for (const each of [...earlier, key]) await writeKey(control, each);
    const changes = [...earlier, key].map((each) => ({ kind: "key", key: each }) as const);
    await control.announce({ org: key.org, auditRows: [auditRow], changes });
    return "put";
  });
}

async function announceKey(
  control: ControlTransaction,
  { org, auditRow }: KeyChange,
  key: StoredKey,
): Promise<number> {
  await writeKey(control, key);
  return control.announce({ org, auditRows: [auditRow], changes: [{ kind: "key", key }] });
}

async function actorIsLive(control: ControlTransaction, { actor, at }: KeyChange): Promise<boolean> {
  if (actor === null) return true;
  const found = await findKey(control, actor);
  return found !== null && isLive(found, at);
}

/** Lasting keys and keys of minutes do not take the places of each other. */
function activeKeys({ trx }: ControlTransaction, org: string) {
  return trx.selectFrom("keys").where("org", "=", org).where("status", "=", "active");
}

async function lastingFull(control: ControlTransaction, { org }: StoredKey): Promise<KeysFull | null> {
  const { count } = await activeKeys(control, org)
    .where("short_until", "is", null)
    .select((query) => query.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count) >= control.limits.keys ? { of: "lasting" } : null;
}

async function shortKeysFull(
  control: ControlTransaction,
  key: StoredKey,
  at: string,
): Promise<KeysFull | null> {
  const { keys, exchangedKeys, keysOfTrustRule } = control.limits;
  const rule = trustRuleOf(key);
  const live = activeKeys(control, key.org).where("short_until", ">", at);
  const found = await live
    .select(({ fn }) => [
      fn.countAll<number>().as("all"),
      fn.count<number>("trust_rule").as("exchanged"),
      fn.count<number>("id").filterWhere("trust_rule", "=", rule).as("of_rule"),
      fn.min("short_until").as("next"),
      fn.min("short_until").filterWhere("trust_rule", "is not", null).as("next_exchanged"),
      fn.min("short_until").filterWhere("trust_rule", "=", rule).as("next_of_rule"),
    ])
    .executeTakeFirstOrThrow();
  const exchanged = Number(found.exchanged);
  const counts = { exchanged, logins: Number(found.all) - exchanged };
  if (rule !== null && Number(found.of_rule) >= keysOfTrustRule)
    return { of: "trust_rule", ...counts, nextEnd: found.next_of_rule ?? at };
  if (rule !== null && exchanged >= exchangedKeys)
    return { of: "exchanged", ...counts, nextEnd: found.next_exchanged ?? at };
  return Number(found.all) >= keys ? { of: "short", ...counts, nextEnd: found.next ?? at } : null;
}

/** Milliseconds after its end for which a key of minutes can still be read. Rows name it for ever. */
const ENDED_KEPT_MS = 24 * 60 * 60 * 1_000;

async function removeEnded({ trx }: ControlTransaction, at: string): Promise<void> {
  const before = new Date(Date.parse(at) - ENDED_KEPT_MS).toISOString();
  await trx.deleteFrom("keys").where("short_until", "<", before).execute();
}
