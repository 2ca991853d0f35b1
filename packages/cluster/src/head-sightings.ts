import type { MonotonicClock } from "@svc/process/clock";

interface Sighting {
  readonly head: number;
  readonly atMs: number;
}

/**
 * When this process saw that a revision was committed, by its own monotonic clock. A wall clock that is set
 * forward, here or at the database, ends no lease.
 */
export class HeadSightings {
  readonly #clock: MonotonicClock;
  readonly #leaseMs: number;
  /** Ascending by both. Of those older than a lease, the newest one says everything. */
  #sightings: Sighting[] = [];

  constructor(clock: MonotonicClock, leaseMs: number) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  /** Call it with the last revision of a read that has come back. */
  note(head: number): void {
    const nowMs = this.#clock.nowMs();
    const last = this.#sightings.at(-1);
    // The database was restored from a backup: its revisions now mean other changes.
    if (last !== undefined && head < last.head) this.#sightings = [];
    if (last === undefined || head !== last.head) this.#sightings.push({ head, atMs: nowMs });
    const firstYoung = this.#sightings.findIndex(({ atMs }) => nowMs - atMs < this.#leaseMs);
    const kept = firstYoung === -1 ? this.#sightings.length - 1 : Math.max(0, firstYoung - 1);
    this.#sightings.splice(0, kept);
  }

  /** Milliseconds until a lease has passed since this process saw the revision; at most 0 when it has. */
  leaseLeftMs(revision: number): number {
    const first = this.#sightings.find(({ head }) => head >= revision);
    return first === undefined ? this.#leaseMs : this.#leaseMs - (this.#clock.nowMs() - first.atMs);
  }
}
