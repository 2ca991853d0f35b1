import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeSecretFile } from "./write-secret-file.ts";

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
  await writeSecretFile(path, apiKey);
  return path;
}

/** Removes the file of a key that is no longer accepted. */
export async function removeAdminKey(dataDir: string): Promise<void> {
  await rm(adminKeyPath(dataDir), { force: true });
}
