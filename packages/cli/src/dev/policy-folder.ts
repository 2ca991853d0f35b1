import { statSync } from "node:fs";
import { resolve } from "node:path";
import { policyFilesBelow } from "../policy-files/find-policy-files.ts";

/** What differs in a folder since the last look. Paths are as a person would name the files. */
export interface FolderChange {
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

interface PolicyFolderOptions {
  readonly folder: string;
  readonly workingDirectory: string;
}

/**
 * The policy files of a folder, which need not exist. It is looked at again and again, because a folder that
 * is removed and made anew sends no events. The first look takes every file. Later ones take a file when two
 * looks found it alike, so that nobody reads what an editor is still writing.
 */
export class PolicyFolder {
  readonly #options: PolicyFolderOptions;
  readonly #taken = new Map<string, string>();
  #seen = new Map<string, string>();
  #isFirst = true;

  constructor(options: PolicyFolderOptions) {
    this.#options = options;
  }

  look(): FolderChange {
    const now = this.#stamps();
    const written: string[] = [];
    for (const [path, stamp] of now) {
      const isSettled = this.#isFirst || this.#seen.get(path) === stamp;
      if (!isSettled || this.#taken.get(path) === stamp) continue;
      this.#taken.set(path, stamp);
      written.push(path);
    }
    const removed = [...this.#taken.keys()].filter((path) => !now.has(path) && !this.#seen.has(path));
    for (const path of removed) this.#taken.delete(path);
    this.#seen = now;
    this.#isFirst = false;
    return { written, removed };
  }

  /** What tells one state of each file from another. */
  #stamps(): Map<string, string> {
    const { folder, workingDirectory } = this.#options;
    const stamps = new Map<string, string>();
    for (const path of unlessGone(() => policyFilesBelow(folder, workingDirectory)) ?? []) {
      const stamp = unlessGone(() => stampOf(resolve(workingDirectory, path)));
      if (stamp !== null) stamps.set(path, stamp);
    }
    return stamps;
  }
}

function stampOf(path: string): string {
  const { mtimeNs, size, ino } = statSync(path, { bigint: true });
  return [mtimeNs, size, ino].join(" ");
}

/** Null: it went away while it was looked at. */
function unlessGone<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return null;
    throw error;
  }
}
