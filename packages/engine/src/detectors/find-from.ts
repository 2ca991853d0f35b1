import type { Span } from "./detector.ts";

/** The first finding that begins at or after a place; places must not go back. */
export type FindFrom = (from: number) => Span | null;

/** Searches again only when the finding that was read ahead begins before the place. */
export function remembered(find: FindFrom): FindFrom {
  let next: Span | null = null;
  let isDone = false;
  return (from) => {
    if (isDone || (next !== null && next.start >= from)) return next;
    next = find(from);
    isDone = next === null;
    return next;
  };
}

export function earlier(left: Span | null, right: Span | null): Span | null {
  if (left === null || right === null) return left ?? right;
  return left.start <= right.start ? left : right;
}
