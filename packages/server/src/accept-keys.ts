import { ensureAdminKey } from "@svc/control-plane/admin-key";
import { formatApiKey } from "@svc/control-plane/api-key";
import { systemClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { KeyStore } from "@svc/store/ports/key-store";
import { removeAdminKey, writeAdminKey } from "./admin-key-file.ts";
import { type Authenticate, bearerAuthentication, openAuthentication } from "./authentication.ts";
import type { ServerSettings } from "./settings.ts";

export interface KeyOptions {
  readonly settings: Pick<ServerSettings, "authentication" | "bootstrapKey" | "dataDir">;
  readonly store: { readonly keys: KeyStore };
  readonly log: Pick<Logger, "info">;
  /** Called with the path of the file that holds a new admin key. The key itself is not passed on. */
  readonly onAdminKey: (path: string) => void;
}

/** Ensures that the operator has an admin key. @returns the check of the keys that are accepted. */
export async function acceptKeys({ settings, store, log, onAdminKey }: KeyOptions): Promise<Authenticate> {
  if (settings.authentication === "off") return openAuthentication();
  const keys = await ensureAdminKey({
    keys: store.keys,
    bootstrapKey: settings.bootstrapKey,
    now: systemClock.now(),
    handOver: async (key) => {
      const path = await writeAdminKey(settings.dataDir, formatApiKey(key));
      log.info({ key_id: key.id, path }, "admin key created");
      onAdminKey(path);
    },
    withdraw: () => removeAdminKey(settings.dataDir),
  });
  log.info({ key_ids: keys.map(({ id }) => id) }, "keys accepted");
  return bearerAuthentication(keys);
}
