import type { MonotonicClock } from "@svc/process/clock";
import type { ClusterMember, SignOfLife } from "@svc/store/ports/cluster";

/** Milliseconds after which nobody waits for a silent process any more. Its own limit is half of that. */
export const SILENT_AFTER_MS = 10_000;

/** Milliseconds after which the row of a silent process is removed. Each one makes activations slower. */
const FORGET_AFTER_MS = 10 * 60 * 1_000;

interface Sign extends SignOfLife {
  readonly atMs: number;
}

/**
 * Tells the processes that live from those that have ended without leaving. It compares no clocks of
 * different machines: a process lives when its sign of life has changed within SILENT_AFTER_MS of this
 * process's own time, and when nothing is known of it yet.
 */
export class LiveMembers {
  readonly #clock: MonotonicClock;
  readonly #signs = new Map<string, Sign>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** @param members everything that the database holds at this moment */
  of(members: readonly ClusterMember[]): readonly ClusterMember[] {
    const nowMs = this.#clock.nowMs();
    const ids = new Set(members.map(({ id }) => id));
    for (const id of this.#signs.keys()) if (!ids.has(id)) this.#signs.delete(id);
    return members.filter((member) => this.#lives(member, nowMs));
  }

  /**
   * Those that were silent for so long that nobody needs to know of them. One that comes back all the same
   * denies until it has joined again.
   */
  forgettable(): readonly SignOfLife[] {
    const nowMs = this.#clock.nowMs();
    return [...this.#signs.values()].filter(({ atMs }) => nowMs - atMs >= FORGET_AFTER_MS);
  }

  #lives({ id, beat, epoch }: ClusterMember, nowMs: number): boolean {
    const known = this.#signs.get(id);
    if (known !== undefined && known.beat === beat && known.epoch === epoch)
      return nowMs - known.atMs < SILENT_AFTER_MS;
    this.#signs.set(id, { id, beat, epoch, atMs: nowMs });
    return true;
  }
}
