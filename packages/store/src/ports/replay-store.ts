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

/** An active replay of a process that has started again. */
export interface LeftReplay {
  readonly org: string;
  readonly replay: StoredReplay;
  /** What its process worked on, as it was created; null for a replay of an earlier build. */
  readonly work: string | null;
  /** How often a process has begun it, with this time. */
  readonly starts: number;
}

/** Replays and their results. One that is queued or running is active. */
export interface ReplayStore {
  /** Keeps the newest of the organization that have ended, and removes the others. */
  createReplay(
    org: string,
    replay: StoredReplay,
    /** What a process needs to begin again. It goes when the replay ends. */
    work: string,
  ): Promise<{ readonly kind: "created" } | { readonly kind: "too_many"; readonly active: number }>;
  replay(org: string, id: string): Promise<StoredReplay | null>;
  /** Newest first. */
  replays(org: string, page: PageRequest): Promise<Page<StoredReplay> | "bad_cursor">;
  /** Writes a replay unless it has ended. False: it has ended, or is gone. */
  updateReplay(org: string, replay: StoredReplay): Promise<boolean>;
  /** Removes a replay that has ended. */
  removeReplay(org: string, id: string): Promise<void>;
  /** Every active replay of a process, of all organizations. Counts one more start of each. */
  takeUpReplays(owner: string): Promise<readonly LeftReplay[]>;
}
