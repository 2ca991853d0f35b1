import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** Only the service's own user may read it. */
const FILE_MODE = 0o600;

/** Bytes of randomness in the name of a file that is still incomplete. */
const NAME_BYTES = 6;

/** The path of the first admin key. */
export function adminKeyPath(dataDir: string): string {
  return join(dataDir, "admin-key");
}

/**
 * Writes an admin key beside the store. The file is complete and on disk before the key is used, and only the
 * service's own user can read it. A key is never logged, because others read logs. @returns the path.
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

/** Removes the file of a key that is no longer accepted. */
export async function removeAdminKey(dataDir: string): Promise<void> {
  await rm(adminKeyPath(dataDir), { force: true });
}
