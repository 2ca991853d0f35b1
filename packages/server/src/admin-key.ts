import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type KeyRow } from "@svc/contract/audit-row";
import { DEFAULT_ORG } from "@svc/contract/execute-request";
import type { KeyStore, StoredKey } from "@svc/store/ports/key-store";
import { type ApiKey, newApiKey, secretDigest } from "./api-key.ts";

/** Who a key's audit row names as its maker: nobody has a key yet. */
const BOOTSTRAP = "bootstrap";

export interface AdminKeyOptions {
  readonly keys: KeyStore;
  /** From the environment; null: made when the store has none. */
  readonly bootstrapKey: ApiKey | null;
  readonly now: Date;
  /**
   * Hands a new key to the operator before it is stored: a key that was stored and not handed over would shut
   * everybody out.
   */
  readonly handOver: (key: ApiKey) => Promise<void>;
  /** Called when the operator's own key has revoked the one that was handed over. */
  readonly withdraw: () => Promise<void>;
}

/**
 * Sees to it that there is an admin key. @returns the keys that are accepted: the operator's own alone when
 * there is one, so that setting it shuts out a key that was lost.
 */
export async function ensureAdminKey({
  keys,
  bootstrapKey,
  now,
  handOver,
  withdraw,
}: AdminKeyOptions): Promise<readonly StoredKey[]> {
  const known = await keys.keys();
  if (bootstrapKey !== null) {
    if (!isOnlyKey(known, bootstrapKey)) await keys.putKey(...stored(bootstrapKey, now));
    await withdraw();
    return (await keys.keys()).filter(({ id }) => id === bootstrapKey.id);
  }
  if (known.length > 0) return known;
  const key = newApiKey();
  await handOver(key);
  await keys.createKey(...stored(key, now));
  return keys.keys();
}

/** The operator's key revokes all others, so it is written down unless it stands there alone already. */
function isOnlyKey([key, ...others]: readonly StoredKey[], { id, secret }: ApiKey): boolean {
  if (key === undefined || others.length > 0) return false;
  return key.id === id && Buffer.from(secretDigest(secret)).equals(key.secretSha256);
}

function stored({ id, secret }: ApiKey, now: Date): [key: StoredKey, auditRow: string] {
  const time = now.toISOString();
  const row: KeyRow = {
    v: AUDIT_ROW_VERSION,
    kind: "key",
    time,
    org: DEFAULT_ORG,
    principal: BOOTSTRAP,
    action: "created",
    key_id: id,
  };
  const key = {
    id,
    org: DEFAULT_ORG,
    role: "admin",
    secretSha256: secretDigest(secret),
    createdAt: time,
  } as const;
  return [key, rowText(row)];
}
