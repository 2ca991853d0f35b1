import { randomBytes } from "node:crypto";
import type { Store } from "@svc/store/ports/store";

/** Bytes of randomness in the key of the digests. */
const DIGEST_KEY_BYTES = 32;

/** The deployment's key for digests of rows, 256 random bits in hexadecimal. The first start makes it. */
export async function digestKeyOf({ deploymentKeys }: Pick<Store, "deploymentKeys">): Promise<string> {
  return deploymentKeys.deploymentKey("digest", randomBytes(DIGEST_KEY_BYTES).toString("hex"));
}
