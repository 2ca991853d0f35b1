import type { FaultEpisode } from "@svc/contract/process-signs";

/** Milliseconds without an occurrence after which the next one is another episode: calls may be rare. */
const PAUSE_MS = 60_000;

/** Milliseconds after its last occurrence for which an episode is told. */
const TOLD_MS = 5 * 60_000;

interface Episode {
  count: number;
  firstMs: number;
  lastMs: number;
}

/** Notices for how long faults go on, from counts that only grow, by the monotonic clock. */
export class FaultEpisodes {
  readonly #episodes = new Map<string, Episode>();

  /** @param counts since the start of the process @returns what happened lately, by the name of its count */
  note(nowMs: number, counts: Readonly<Record<string, number>>): Readonly<Record<string, FaultEpisode>> {
    for (const [name, count] of Object.entries(counts)) {
      const known = this.#episodes.get(name);
      if (count <= (known?.count ?? 0)) continue;
      const goesOn = known !== undefined && nowMs - known.lastMs < PAUSE_MS;
      this.#episodes.set(name, { count, firstMs: goesOn ? known.firstMs : nowMs, lastMs: nowMs });
    }
    const lately = [...this.#episodes].filter(([, { lastMs }]) => nowMs - lastMs < TOLD_MS);
    return Object.fromEntries(
      lately.map(([name, { firstMs, lastMs }]) => [
        name,
        { lasted_ms: lastMs - firstMs, idle_ms: nowMs - lastMs },
      ]),
    );
  }
}
