import { DEFAULT_ORG } from "@svc/contract/execute-request";
import type { KeyStore, StoredKey } from "@svc/store/ports/key-store";
import { type ApiKey, newApiKey, secretDigest } from "./api-key.ts";
import { keyRow } from "./key-row.ts";

/** Who a key's record and audit row name as its maker: nobody has a key yet. */
const BOOTSTRAP = "bootstrap";

export interface AdminKeyOptions {
  readonly keys: Pick<KeyStore, "bootstrapKeys" | "putBootstrapKey">;
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
 * Sees to it that there is a bootstrap key, which may do everything. The operator's own key revokes the other
 * bootstrap keys, so that setting it shuts out a key that was lost.
 * @throws when the operator's key has the id of a key that is or was managed.
 */
export async function ensureAdminKey({
  keys,
  bootstrapKey,
  now,
  handOver,
  withdraw,
}: AdminKeyOptions): Promise<void> {
  const known = await keys.bootstrapKeys();
  if (bootstrapKey !== null) {
    if (!isOnlyBootstrapKey(known, bootstrapKey))
      await putBootstrapKey(keys, bootstrapKey, { now, when: "always" });
    return withdraw();
  }
  if (known.length > 0) return;
  const key = newApiKey();
  await handOver(key);
  // Of processes that start at once, one makes the key.
  if (!(await putBootstrapKey(keys, key, { now, when: "only first" }))) await withdraw();
}

/** A key that is the only one already is not written down again. */
function isOnlyBootstrapKey(known: readonly StoredKey[], { id, secret }: ApiKey): boolean {
  const [key, ...others] = known;
  if (key === undefined || others.length > 0 || key.id !== id) return false;
  return key.secrets.length === 1 && key.secrets[0]?.digest === secretDigest(secret);
}

/** @returns whether the key was written */
async function putBootstrapKey(
  keys: AdminKeyOptions["keys"],
  apiKey: ApiKey,
  { now, when }: { readonly now: Date; readonly when: "always" | "only first" },
): Promise<boolean> {
  const key = bootstrapRecord(apiKey, now);
  const row = keyRow(key, { org: key.org, principal: BOOTSTRAP, time: key.created_at, action: "created" });
  const put = await keys.putBootstrapKey(key, row, when);
  if (put === "id_taken")
    throw new Error(
      `SVC_BOOTSTRAP_API_KEY has the id ${key.id} of a key that is managed: choose another id for it`,
    );
  return put === "put";
}

function bootstrapRecord({ id, secret }: ApiKey, now: Date): StoredKey {
  const created_at = now.toISOString();
  return {
    id,
    org: DEFAULT_ORG,
    name: BOOTSTRAP,
    role: "admin",
    agents: null,
    namespaces: null,
    origin: "bootstrap",
    created_at,
    created_by: BOOTSTRAP,
    expires_at: null,
    revoked_at: null,
    revoked_by: null,
    secrets: [{ digest: secretDigest(secret), created_at, expires_at: null }],
  };
}
