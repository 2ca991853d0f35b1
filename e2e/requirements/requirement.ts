/**
 * One promise to users. The id never changes its meaning and is never given to another promise.
 * `tested`: a test of `npm test` or of continuous integration cites the id. `tested_long`: only the long run
 * proves it, because it is a figure of the machine. `not_yet`: not kept today, and no test may cite it.
 */
export interface Requirement {
  /** Group and number: `KILL-07`. */
  readonly id: string;
  /** One sentence that a test can prove wrong. */
  readonly promise: string;
  readonly state: "tested" | "tested_long" | "not_yet";
}

export function tested(id: string, promise: string): Requirement {
  return { id, promise, state: "tested" };
}

export function testedLong(id: string, promise: string): Requirement {
  return { id, promise, state: "tested_long" };
}

export function notYet(id: string, promise: string): Requirement {
  return { id, promise, state: "not_yet" };
}
