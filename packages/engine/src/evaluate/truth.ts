/**
 * What a condition says of a call. `unsure`: the field is there, but of a type or form that cannot be judged.
 * `unread`: the field was not searched, because the call's texts need more work than one call may take.
 * Only `holds` and `fails` are claims; what the others mean depends on whether the rule restricts or permits.
 */
export type Truth = "holds" | "fails" | "missing" | "unsure" | "unread";

export function truthOf(holds: boolean): Truth {
  return holds ? "holds" : "fails";
}

/** Two readings of one value, of which nobody knows which one counts. */
export function agreed(one: Truth, other: Truth): Truth {
  return one === other ? one : "unsure";
}

/** One that holds decides; else the first that makes no claim. */
export function anyHolds<T>(items: readonly T[], judge: (item: T) => Truth): Truth {
  let any: Truth = "fails";
  for (const item of items) {
    const truth = judge(item);
    if (truth === "holds") return "holds";
    if (any === "fails") any = truth;
  }
  return any;
}

/** One that fails decides; else the first that makes no claim. */
export function everyHolds<T>(items: readonly T[], judge: (item: T) => Truth): Truth {
  let every: Truth = "holds";
  for (const item of items) {
    const truth = judge(item);
    if (truth === "fails") return "fails";
    if (every === "holds") every = truth;
  }
  return every;
}
