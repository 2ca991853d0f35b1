import { type Rotation, Secrets } from "@svc/secrets/secrets";
import { openStore } from "../database/open-store.ts";
import { openDataDirectory } from "../files/data-directory.ts";
import type { ServerSettings } from "../settings/settings.ts";
import { openSecrets } from "./open-secrets.ts";
import { SecretsKeyFile } from "./secrets-key-file.ts";

/**
 * Encrypts every secret of a store with new keys. With a key in the settings, its first one encrypts the keys
 * of the organizations from now on; the key file of an embedded store gets a new key.
 * @throws when another process has the store, or when a secret cannot be read; nothing is lost then
 */
export async function rotateSecrets(settings: ServerSettings): Promise<Rotation> {
  // The files are for the service's own user, as those of a start.
  process.umask(0o077);
  const { dataDir: path, gatewayId, secretsKeys, databaseUrl, dataDir } = settings;
  const directory = await openDataDirectory({ path, gatewayId, onDamage: () => undefined });
  const store = await openStore(settings, directory);
  try {
    const secrets = await openSecrets(settings, store);
    if (secretsKeys !== null || databaseUrl !== null) return await secrets.rotate();
    return await new SecretsKeyFile(dataDir).rotate((keys) =>
      new Secrets({ store: store.secrets, keys }).rotate(),
    );
  } finally {
    await store.close();
  }
}

/** What the command says about it. */
export function renderRotation({ organizations, secrets }: Rotation): string {
  return `rotated the keys of ${count(organizations, "organization")} with ${count(secrets, "secret")}\n`;
}

function count(n: number, what: string): string {
  return `${String(n)} ${what}${n === 1 ? "" : "s"}`;
}
