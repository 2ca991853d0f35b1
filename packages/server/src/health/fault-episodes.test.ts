import { expect, it } from "vitest";
import { FaultEpisodes } from "./fault-episodes.ts";

const SECOND_MS = 1_000;

/** Counts at some seconds, and the episode then: for how many seconds it lasted and has been over. */
const CASES = [
  { what: "nothing happened", counts: [[0, 0]], episode: null },
  {
    what: "one deny",
    counts: [
      [0, 0],
      [5, 1],
    ],
    episode: [0, 0],
  },
  { what: "denies from the start on", counts: [[0, 3]], episode: [0, 0] },
  {
    what: "denies for a minute",
    counts: [
      [0, 1],
      [30, 2],
      [60, 3],
      [70, 3],
    ],
    episode: [60, 10],
  },
  {
    what: "a pause of less than a minute",
    counts: [
      [0, 1],
      [59, 2],
    ],
    episode: [59, 0],
  },
  {
    what: "a pause of a minute",
    counts: [
      [0, 1],
      [60, 2],
    ],
    episode: [0, 0],
  },
  {
    what: "five minutes after the last",
    counts: [
      [0, 1],
      [300, 1],
    ],
    episode: null,
  },
] as const;

// proves ALERT-02
it.each(CASES)("tells for how long a fault goes on: $what", ({ counts, episode }) => {
  const episodes = new FaultEpisodes();
  const told = counts.map(([seconds, count]) => episodes.note(seconds * SECOND_MS, { fault: count })).at(-1);
  const [lasted, idle] = episode ?? [];
  const wanted =
    lasted === undefined
      ? {}
      : { fault: { lasted_ms: lasted * SECOND_MS, idle_ms: (idle ?? 0) * SECOND_MS } };
  expect(told).toEqual(wanted);
});
