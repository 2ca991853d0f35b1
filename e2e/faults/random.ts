/** Numbers from 0 up to 1 that a seed determines. */
export type Random = () => number;

/** The generator mulberry32: small, and good enough to choose faults. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Every part of the range from one power of ten to the next is as likely as the next one. */
export function randomDuration(random: Random, fromMs: number, toMs: number): number {
  return Math.round(fromMs * (toMs / fromMs) ** random());
}

/** @throws when there is nothing to choose from */
export function choose<Each>(random: Random, from: readonly Each[]): Each {
  const chosen = from[Math.floor(random() * from.length)];
  if (chosen === undefined) throw new Error("expected something to choose from, found nothing");
  return chosen;
}

export function shuffled<Each>(random: Random, all: readonly Each[]): readonly Each[] {
  return all
    .map((each) => ({ each, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each);
}
