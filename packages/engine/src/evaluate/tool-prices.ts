import { specificityOf } from "../globs/glob.ts";
import { GlobIndex } from "../globs/glob-index.ts";
import type { PolicyHead } from "../policy-document.ts";

/**
 * What a call of a tool costs, in micro-USD; 0 when nothing prices it. The most specific glob counts: an
 * exact name, else the one with most characters that are not stars; among equals the higher price. Order in
 * the document is of no consequence, since mappings have none.
 */
export function compileToolPrices(prices: PolicyHead["toolPrices"]): (tool: string) => number {
  const ranked = prices.toSorted(
    (left, right) => specificityOf(right.glob) - specificityOf(left.glob) || right.microUsd - left.microUsd,
  );
  const index = new GlobIndex(ranked.map(({ glob }) => glob));
  return (tool) => {
    const first = index.matches(tool)[0];
    return first === undefined ? 0 : (ranked[first]?.microUsd ?? 0);
  };
}
