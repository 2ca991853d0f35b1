import { statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

/** Identifies the file that was at a path when it was opened. */
export interface FileIdentity {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

export function areSameFiles(some: readonly FileIdentity[], others: readonly FileIdentity[]): boolean {
  return isDeepStrictEqual(some, others);
}

/** @throws when nothing stands at the path. */
export function identifyFile(path: string): FileIdentity {
  const { dev, ino } = statSync(path, { bigint: true });
  return { path, device: dev, inode: ino };
}

/**
 * SQLite goes on writing to a file that was unlinked or replaced, where nobody will find the rows.
 * @throws unless the same files still stand at their paths.
 */
export function requireSameFiles(files: readonly FileIdentity[]): void {
  for (const { path, device, inode } of files) {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) throw new Error(`${path}: the file that was opened is gone from its path`);
    if (found.dev !== device || found.ino !== inode) {
      throw new Error(`${path}: another file stands where the one that was opened stood`);
    }
  }
}
