import { parseJson } from "@svc/text/parse-json";
import type { StoredKey } from "../ports/key-store.ts";
import type { ControlTransaction } from "./change-control.ts";

export function parseStoredKey(text: string): StoredKey {
  return parseJson(text) as StoredKey;
}

/** A key inside a transaction, whatever became of it; null when there never was one of this id. */
export async function findKey({ trx }: ControlTransaction, id: string): Promise<StoredKey | null> {
  const row = await trx.selectFrom("keys").select("record").where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : parseStoredKey(row.record);
}

/** Writes a key, over the one with its id if there is one. */
export async function writeKey({ trx }: ControlTransaction, key: StoredKey): Promise<void> {
  const { id, org, origin } = key;
  const status = key.revoked_at === null ? "active" : "revoked";
  const columns = {
    org,
    origin: origin === "bootstrap" ? origin : "managed",
    status,
    record: JSON.stringify(key),
    short_until: isShort(key) ? key.expires_at : null,
    trust_rule: trustRuleOf(key),
  } as const;
  await trx
    .insertInto("keys")
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
    .execute();
}

/** Whether a key lives for minutes or hours, so that there are many of its kind. */
export function isShort({ origin }: StoredKey): boolean {
  return origin === "exchanged" || origin === "login";
}

/** The trust rule that gave the key; null: none did. */
export function trustRuleOf({ identity }: StoredKey): string | null {
  return identity?.trust_rule_id ?? null;
}

/** Whether a key is accepted at this time. */
export function isLive({ revoked_at, expires_at }: StoredKey, at: string): boolean {
  return revoked_at === null && !isOver(expires_at, at);
}

/** Whether an end has come. Null never comes. */
export function isOver(end: string | null, at: string): boolean {
  return end !== null && Date.parse(end) <= Date.parse(at);
}
