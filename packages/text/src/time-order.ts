interface Period<Time> {
  readonly since?: Time | undefined;
  readonly until?: Time | undefined;
}

/** Whether a period that a query asks for does not end before it begins. Times compare as `<=` does. */
export function isTimeOrder<Time extends string | number>({ since, until }: Period<Time>): boolean {
  return since === undefined || until === undefined || since <= until;
}

/** The refusal of a period that ends before it begins. */
export const TIME_ORDER_REFUSAL = {
  path: ["until"],
  error: "expected a time that is not before since",
};
