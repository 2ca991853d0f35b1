import { hasStar, headOf, matchesGlob, tailOf } from "./glob.ts";

/** Ordinals are ascending within a bucket: entries are added in order. */
interface Bucket {
  /** Entries whose glob is the key and one star: the key alone decides. */
  readonly sure: number[];
  readonly unsure: { readonly ordinal: number; readonly glob: string }[];
}

/**
 * A fixed list of globs, asked which of them match a name. Exact names are found by hash; a glob with a
 * fixed beginning by that beginning; a glob with a fixed end by that end; the few with neither are tried
 * one by one. So the cost grows with the distinct lengths of beginnings and ends and with what can match,
 * not with the list.
 */
export class GlobIndex {
  readonly #exact = new Map<string, number[]>();
  readonly #heads = new Map<string, Bucket>();
  readonly #tails = new Map<string, Bucket>();
  readonly #headLengths: readonly number[];
  readonly #tailLengths: readonly number[];

  constructor(globs: readonly string[]) {
    for (const [ordinal, glob] of globs.entries()) this.#add(glob, ordinal);
    this.#headLengths = lengthsOf(this.#heads);
    this.#tailLengths = lengthsOf(this.#tails);
  }

  /** Places in the list of every glob that matches, ascending. The caller must not change the answer. */
  matches(name: string): readonly number[] {
    let found: readonly number[] = this.#exact.get(name) ?? [];
    for (const length of this.#headLengths) {
      if (length > name.length) break;
      found = merged(found, this.#heads.get(name.slice(0, length)), name);
    }
    for (const length of this.#tailLengths) {
      if (length > name.length) break;
      found = merged(found, this.#tails.get(name.slice(name.length - length)), name);
    }
    return found;
  }

  hasMatch(name: string): boolean {
    return this.matches(name).length > 0;
  }

  #add(glob: string, ordinal: number): void {
    if (!hasStar(glob)) {
      const known = this.#exact.get(glob);
      if (known === undefined) this.#exact.set(glob, [ordinal]);
      else known.push(ordinal);
      return;
    }
    const head = headOf(glob);
    const byTail = head === "" && tailOf(glob) !== "";
    const key = byTail ? tailOf(glob) : head;
    const bucket = bucketOf(byTail ? this.#tails : this.#heads, key);
    if (glob.length === key.length + 1) bucket.sure.push(ordinal);
    else bucket.unsure.push({ ordinal, glob });
  }
}

function bucketOf(buckets: Map<string, Bucket>, key: string): Bucket {
  let bucket = buckets.get(key);
  if (bucket === undefined) {
    bucket = { sure: [], unsure: [] };
    buckets.set(key, bucket);
  }
  return bucket;
}

function lengthsOf(buckets: ReadonlyMap<string, Bucket>): readonly number[] {
  return [...new Set([...buckets.keys()].map((key) => key.length))].toSorted((left, right) => left - right);
}

/** Allocates only where two lists really meet. */
function merged(found: readonly number[], bucket: Bucket | undefined, name: string): readonly number[] {
  if (bucket === undefined) return found;
  const sure = mergeAscending(found, bucket.sure);
  if (bucket.unsure.length === 0) return sure;
  const hits = bucket.unsure.filter(({ glob }) => matchesGlob(glob, name)).map(({ ordinal }) => ordinal);
  return mergeAscending(sure, hits);
}

function mergeAscending(left: readonly number[], right: readonly number[]): readonly number[] {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const result: number[] = [];
  let leftAt = 0;
  for (const ordinal of right) {
    for (let next = left[leftAt]; next !== undefined && next < ordinal; next = left[leftAt]) {
      result.push(next);
      leftAt += 1;
    }
    result.push(ordinal);
  }
  for (; leftAt < left.length; leftAt += 1) result.push(left[leftAt] ?? 0);
  return result;
}
