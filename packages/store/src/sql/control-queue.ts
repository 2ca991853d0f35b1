import { FairQueue, type FairQueueOptions } from "@svc/process/fair-queue";

/**
 * Changes that one process makes at once. The lock on control state lets one through at a
 * time. The second one is of another lane: nobody has to wait until the only one is over.
 */
const AT_ONCE: FairQueueOptions = {
  turns: 2,
  turnsPerLane: 1,
  // Who asked gets an answer after 3 s. A change whose caller may have gone is not begun.
  waitMs: 2_500,
};

/** Nobody can take back a change that waits. */
const STAYS = new AbortController().signal;

/** Who waits together. What stops calls, as kill switches do, does not wait for other changes. */
export function queueKey(org: string, kind: "urgent" | "ordinary"): string {
  return JSON.stringify([org, kind]);
}

/**
 * Gives changes turns, organizations in rotation. Without turns, the changes of one organization would hold
 * every connection to the database while they wait for a lock. The kill switches of all others would fail.
 */
export class ControlQueue {
  readonly #queue = new FairQueue(AT_ONCE);

  /** @throws when no turn comes in time; then the work has not begun. */
  async run<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    const turn = await this.#queue.enter(lane, STAYS);
    if (turn.kind !== "turn")
      throw new Error(`too many changes at once: no turn within ${String(AT_ONCE.waitMs)} ms`);
    try {
      return await work();
    } finally {
      turn.end();
    }
  }
}
