import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DATABASE_FILE } from "./open-database.ts";

/** Bytes of the database and its write-ahead log. */
export async function sizeOfDatabase(dataDir: string): Promise<number> {
  const path = join(dataDir, DATABASE_FILE);
  const files = await Promise.all([stat(path), stat(`${path}-wal`)]);
  return files.reduce((sum, { size }) => sum + size, 0);
}
