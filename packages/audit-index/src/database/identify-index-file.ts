import { statSync } from "node:fs";
import { indexPath } from "./sqlite-index.ts";

/** Device and inode of the index; null when it is not there. SQLite goes on writing to a removed file. */
export function identifyIndexFile(dataDir: string): string | null {
  const found = statSync(indexPath(dataDir), { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${String(found.dev)}:${String(found.ino)}`;
}
