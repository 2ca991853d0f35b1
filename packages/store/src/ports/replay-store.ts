import type { ReplayRecord } from "@svc/contract/replay";
import type { Page, PageRequest } from "./page.ts";

/** A replay, with what no answer shows. */
export interface StoredReplay {
  readonly record: ReplayRecord;
  /** The log of the process that runs it. */
  readonly owner: string;
  /** Unix milliseconds: when its process last wrote it. */
  readonly updatedAtMs: number;
}

/** Replays and their results. One that is queued or running is active. */
export interface ReplayStore {
  /** Keeps the newest of the organization that have ended, and removes the others. */
  createReplay(
    org: string,
    replay: StoredReplay,
  ): Promise<{ readonly kind: "created" } | { readonly kind: "too_many"; readonly active: number }>;
  replay(org: string, id: string): Promise<StoredReplay | null>;
  /** Newest first. */
  replays(org: string, page: PageRequest): Promise<Page<StoredReplay> | "bad_cursor">;
  /** Writes a replay unless it has ended. False: it has ended, or is gone. */
  updateReplay(org: string, replay: StoredReplay): Promise<boolean>;
  /** Removes a replay that has ended. */
  removeReplay(org: string, id: string): Promise<void>;
  /** Every active replay of a process, of all organizations. */
  activeReplays(owner: string): Promise<readonly { readonly org: string; readonly replay: StoredReplay }[]>;
}
