import type { KillSwitchRecord } from "@svc/contract/kill-switch";

/**
 * Changes of kill switches that are kept for followers, as count. A follower asks each second: one that
 * missed this many gets the whole list.
 */
const MAX_KEPT_CHANGES = 10_000;

/** Changes that may be kept beyond that before they are cut off, as count: cutting copies the rest. */
const CUT_EVERY = 5_000;

interface KillSwitchChange {
  readonly revision: number;
  readonly org: string;
  readonly record: KillSwitchRecord;
}

interface Follower {
  readonly org: string;
  readonly wake: () => void;
}

/** What changed since a revision; `too_old`: the changes since that revision are no longer kept. */
export type KillSwitchChanges =
  | { readonly kind: "changes"; readonly records: readonly KillSwitchRecord[] }
  | { readonly kind: "too_old" };

/**
 * The newest changes of kill switches in the order of their revisions, for who enforces switches outside of
 * this process. A switch that began and ended stands in it twice: it stops what ran meanwhile.
 */
export class KillSwitchFeed {
  readonly #newEpoch: () => string;
  readonly #followers = new Set<Follower>();
  #changes: KillSwitchChange[] = [];
  /** Everything behind this revision is kept. */
  #floor = 0;
  #epoch: string;

  constructor(newEpoch: () => string) {
    this.#newEpoch = newEpoch;
    this.#epoch = newEpoch();
  }

  /**
   * Names the history that revisions count. Another process may have been started over a restored backup, so
   * each has its own; and so has what follows a snapshot that lies behind a revision that was applied.
   */
  get epoch(): string {
    return this.#epoch;
  }

  /** Goes on from a snapshot, which does not tell what happened since the `previous` revision. */
  reset(revision: number, previous: number): void {
    if (revision < previous) this.#epoch = this.#newEpoch();
    this.#changes = [];
    this.#floor = revision;
    for (const { wake } of this.#followers) wake();
  }

  add(change: KillSwitchChange): void {
    this.#changes.push(change);
    if (this.#changes.length > MAX_KEPT_CHANGES + CUT_EVERY) {
      const cut = this.#changes.length - MAX_KEPT_CHANGES;
      this.#floor = this.#changes[cut - 1]?.revision ?? this.#floor;
      this.#changes = this.#changes.slice(cut);
    }
    for (const { org, wake } of this.#followers) if (org === change.org) wake();
  }

  changesAfter(org: string, revision: number): KillSwitchChanges {
    if (revision < this.#floor) return { kind: "too_old" };
    const records: KillSwitchRecord[] = [];
    for (let at = this.#changes.length - 1; at >= 0; at -= 1) {
      const change = this.#changes[at];
      if (change === undefined || change.revision <= revision) break;
      if (change.org === org) records.push(change.record);
    }
    return { kind: "changes", records: records.reverse() };
  }

  /**
   * @param wake called at each change of a switch of this organization. @returns a function that ends this
   */
  follow(org: string, wake: () => void): () => void {
    const follower = { org, wake };
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }
}
