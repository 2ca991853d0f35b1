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
   * Hands a new key to the operator before it is stored. A key that was stored first and then not handed over
   * would shut everybody out.
   */
  readonly handOver: (key: ApiKey) => Promise<void>;
  /** Called when the operator's own key has revoked the one that was handed over. */
  readonly withdraw: () => Promise<void>;
}

/**
 * Sees to it that there is an admin key. @returns the keys that are accepted: of those that a start made, the
 * operator's own alone when there is one, so that setting it shuts out a key that was lost.
 * @throws when the operator's key has the id of a key that is managed.
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
    if (!isOnlyBootstrapKey(known, bootstrapKey)) await putBootstrapKey(keys, bootstrapKey, now);
    await withdraw();
    return (await keys.keys()).filter(({ id, origin }) => origin === "managed" || id === bootstrapKey.id);
  }
  if (known.length > 0) return known;
  const key = newApiKey();
  await handOver(key);
  await keys.createKey(...stored(key, now));
  return keys.keys();
}

/** The operator's key revokes the other bootstrap keys, so it is written down unless it is the only one. */
function isOnlyBootstrapKey(known: readonly StoredKey[], { id, secret }: ApiKey): boolean {
  const [key, ...others] = known.filter(({ origin }) => origin === "bootstrap");
  if (key === undefined || others.length > 0) return false;
  return key.id === id && Buffer.from(secretDigest(secret)).equals(key.secretSha256);
}

async function putBootstrapKey(keys: KeyStore, key: ApiKey, now: Date): Promise<void> {
  if ((await keys.putBootstrapKey(...stored(key, now))) === "put") return;
  throw new Error(
    `SVC_BOOTSTRAP_API_KEY has the id ${key.id} of a key that is managed: choose another id for it`,
  );
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
    origin: "bootstrap",
    role: "admin",
    secretSha256: secretDigest(secret),
    createdAt: time,
  } as const;
  return [key, rowText(row)];
}
