import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Only the service's own user may read it. */
const FILE_MODE = 0o600;

/** Bytes of randomness in the name of a file that is not whole yet. */
const NAME_BYTES = 6;

/** Where the first admin key lies. */
export function adminKeyPath(dataDir: string): string {
  return join(dataDir, "admin-key");
}

/**
 * Writes an admin key beside the store, whole and on disk before it is used, readable by the service's own
 * user alone. A log keeps its lines, and others read them: no key goes there. @returns the path.
 */
export async function writeAdminKey(dataDir: string, apiKey: string): Promise<string> {
  const path = adminKeyPath(dataDir);
  const beside = `${path}.${randomBytes(NAME_BYTES).toString("hex")}`;
  const file = await open(beside, "wx", FILE_MODE);
  try {
    await file.writeFile(`${apiKey}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
  return path;
}

/** Removes the file of a key that no longer opens anything. */
export async function removeAdminKey(dataDir: string): Promise<void> {
  await rm(adminKeyPath(dataDir), { force: true });
}
