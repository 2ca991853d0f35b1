import type { MasterKeys } from "@svc/secrets/master-keys";
import { Secrets, SecretUnreadableError } from "@svc/secrets/secrets";
import type { Store } from "@svc/store/ports/store";
import type { ServerSettings } from "../settings/settings.ts";
import { SecretsKeyFile } from "./secrets-key-file.ts";

/** What says where the key of the secrets is. */
export type SecretsSettings = Pick<ServerSettings, "secretsKeys" | "databaseUrl" | "dataDir">;

/**
 * The secrets of a store. Without a key in the settings, an embedded store has one in a file of the data
 * directory, which the first start makes. @throws when the store holds secrets that no key opens
 */
export async function openSecrets(
  settings: SecretsSettings,
  { secrets: store }: Pick<Store, "secrets">,
): Promise<Secrets> {
  const secrets = new Secrets({ store, keys: await keysOf(settings, store) });
  try {
    await secrets.check();
    return secrets;
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error;
    throw new Error(
      `the store holds encrypted secrets that this process cannot read: ${error.message}. ${fixOf(settings)}`,
      { cause: error },
    );
  }
}

async function keysOf(
  { secretsKeys, databaseUrl, dataDir }: SecretsSettings,
  store: Store["secrets"],
): Promise<MasterKeys | null> {
  if (secretsKeys !== null || databaseUrl !== null) return secretsKeys;
  const file = new SecretsKeyFile(dataDir);
  const keys = await file.read();
  if (keys !== null) return keys;
  // A new key would hide that the file was lost.
  return (await store.dataKeys()).length === 0 ? file.create() : null;
}

function fixOf({ secretsKeys, databaseUrl, dataDir }: SecretsSettings): string {
  if (secretsKeys !== null || databaseUrl !== null)
    return "Set SVC_SECRETS_KEY to the key with which they were stored, behind a new one if there is one";
  return `Restore ${new SecretsKeyFile(dataDir).path} from where you keep it, or set SVC_SECRETS_KEY`;
}
