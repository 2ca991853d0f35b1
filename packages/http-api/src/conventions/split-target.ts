export interface SplitTarget {
  readonly path: string;
  /** The text behind the first question mark; null when there is none. */
  readonly query: string | null;
}

/** Splits a request target at its first question mark. Every further one belongs to the query. */
export function splitTarget(target: string): SplitTarget {
  const at = target.indexOf("?");
  return at === -1
    ? { path: target, query: null }
    : { path: target.slice(0, at), query: target.slice(at + 1) };
}
