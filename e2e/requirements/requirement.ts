/**
 * One promise to users. The id never changes its meaning and is never given to another promise.
 * `tested`: at least one test cites the id. `not_yet`: not kept today, and no test may cite it.
 */
export interface Requirement {
  /** Group and number: `KILL-07`. */
  readonly id: string;
  /** One sentence that a test can prove wrong. */
  readonly promise: string;
  readonly state: "tested" | "not_yet";
}

export function tested(id: string, promise: string): Requirement {
  return { id, promise, state: "tested" };
}

export function notYet(id: string, promise: string): Requirement {
  return { id, promise, state: "not_yet" };
}
