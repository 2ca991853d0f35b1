import { randomBytes } from "node:crypto";
import type { DeploymentKeyName } from "@svc/store/ports/deployment-key-store";
import type { Store } from "@svc/store/ports/store";

/** Bytes of randomness in a key of the deployment. */
const KEY_BYTES = 32;

/** The deployment's key of this name, 256 random bits in hexadecimal. The first start makes it. */
export async function deploymentKeyOf(
  { deploymentKeys }: Pick<Store, "deploymentKeys">,
  name: DeploymentKeyName,
): Promise<string> {
  return deploymentKeys.deploymentKey(name, randomBytes(KEY_BYTES).toString("hex"));
}
