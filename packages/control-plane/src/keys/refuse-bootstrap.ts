import type { StoredKey } from "@svc/store/ports/key-store";
import { type Refusal, refuse } from "../refusal.ts";

/** The bootstrap key belongs to who runs the server, so that no key of the API can shut them out. */
export function refuseBootstrap({ id, origin }: StoredKey): Refusal | null {
  if (origin !== "bootstrap") return null;
  return refuse(
    "forbidden",
    `Key ${id} is the bootstrap key. The API does not change it: set SVC_BOOTSTRAP_API_KEY and restart.`,
  );
}
