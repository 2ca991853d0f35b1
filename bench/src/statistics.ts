/** Samples of one quantity, condensed: the middle, and how far the samples lie apart. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly samples: number;
}

/** @throws RangeError without samples: nothing measured is not zero. */
export function summarize(samples: readonly number[]): Summary {
  const sorted = ascending(samples);
  return {
    median: quantileOfSorted(sorted, 0.5),
    min: quantileOfSorted(sorted, 0),
    max: quantileOfSorted(sorted, 1),
    samples: sorted.length,
  };
}

/**
 * The value below which the given share (0 to 1) of the samples lies, interpolated between its neighbours.
 * @throws RangeError without samples, with one that is not a number, or for a share outside 0 to 1.
 */
export function quantile(samples: readonly number[], share: number): number {
  return quantileOfSorted(ascending(samples), share);
}

/** Element by element: how many times the baseline. @throws RangeError when the rounds do not pair up. */
export function ratios(subject: readonly number[], baseline: readonly number[]): number[] {
  if (subject.length !== baseline.length) {
    throw new RangeError(`expected pairs, found ${subject.length} and ${baseline.length} samples`);
  }
  return subject.map((value, at) => value / positive(baseline[at]));
}

function quantileOfSorted(sorted: readonly number[], share: number): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`expected a share from 0 to 1, found ${share}`);
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

function ascending(samples: readonly number[]): number[] {
  if (samples.length === 0) throw new RangeError("expected at least one sample, found none");
  const strange = samples.find((sample) => !Number.isFinite(sample));
  if (strange !== undefined) throw new RangeError(`expected finite samples, found ${strange}`);
  return [...samples].sort((a, b) => a - b);
}

function positive(value: number | undefined): number {
  if (value === undefined || !(value > 0))
    throw new RangeError(`expected a positive baseline, found ${value}`);
  return value;
}
