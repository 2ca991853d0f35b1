import type { ControlFollower, FollowedState } from "@svc/control-feed/control-follower";
import { ensureAdminKey } from "@svc/control-plane/admin-key";
import { formatApiKey } from "@svc/control-plane/api-key";
import { type Authenticators, bearerAuthentication, openAuthentication } from "@svc/http-api/authentication";
import { KeyIndex } from "@svc/http-api/key-index";
import { systemClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { KeyStore } from "@svc/store/ports/key-store";
import { removeAdminKey, writeAdminKey } from "../files/admin-key-file.ts";
import type { ServerSettings } from "../settings/settings.ts";
import { provingConnections } from "./prove-connections.ts";

export interface KeyOptions {
  readonly settings: Pick<ServerSettings, "authentication" | "bootstrapKey" | "dataDir" | "role">;
  readonly store: { readonly keys: KeyStore };
  readonly log: Pick<Logger, "info">;
  /** Called with the path of the file that holds a new admin key. The key itself is not passed on. */
  readonly onAdminKey: (path: string) => void;
}

/** How credentials are checked, and how current the keys are that they are checked against. */
export interface AcceptedKeys {
  readonly authenticators: Authenticators;
  /** Null while authentication is off: then no key is checked. */
  readonly followedKeys: FollowedState | null;
}

/** How the log names the keys as a subscriber of control state. */
const SUBSCRIBER = { name: "keys", consequence: "no key is accepted" };

/** Ensures that the operator has an admin key, and follows the keys. @throws when the store fails. */
export async function acceptKeys(
  { settings, store, log, onAdminKey }: KeyOptions,
  follower: ControlFollower,
): Promise<AcceptedKeys> {
  if (settings.authentication === "off")
    return { authenticators: proving(openAuthentication()), followedKeys: null };
  // A process that serves no control API leaves the admin key to one that does.
  if (settings.role !== "gateway")
    await ensureAdminKey({
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
  const keys = new KeyIndex();
  const followedKeys = follower.subscribe(keys, SUBSCRIBER);
  await followedKeys.catchUp();
  log.info({ keys: keys.size }, "keys accepted");
  const authenticators = bearerAuthentication({ keys, followed: followedKeys, clock: systemClock });
  return { authenticators: proving(authenticators), followedKeys };
}

function proving({ verified, lastKnown, key }: Authenticators): Authenticators {
  return { verified: provingConnections(verified), lastKnown: provingConnections(lastKnown), key };
}
