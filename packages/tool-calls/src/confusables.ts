/**
 * Confusable names: names with the same skeleton. Readers fold case, also of letters outside ASCII, fold
 * compatible characters (NFKC), drop separators and control characters, or stop at a NUL. A skeleton has
 * none of these differences. Letters that only look alike, as in Unicode TR 39, are not compared here.
 */

/**
 * Finds a key that is not one of the names, but that some reader could take for one of them.
 * @param names preferably one constant list, because its skeletons are cached per list @returns the name
 *   that the key is confusable with, or null
 */
export function confusableWith(keys: readonly string[], names: readonly string[]): string | null {
  for (const key of keys) {
    if (names.includes(key)) continue;
    const bySkeleton = namesBySkeleton(names);
    const name = bySkeleton.get(asciiSkeleton(key)) ?? bySkeleton.get(asciiSkeleton(beforeNul(key)));
    if (name !== undefined) return name;
  }
  return null;
}

/** Characters that readers drop from keys or confuse with one another, in any script. */
const SEPARATORS = /[\p{Z}\p{C}\p{Pd}\p{Pc}.]/gu;

/**
 * Finds two keys of one object that some reader could take for the same one.
 * @returns the second of them, or null
 */
export function confusablePair(keys: readonly string[]): string | null {
  const indexBySkeleton = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    for (const skeleton of [keySkeleton(key), keySkeleton(beforeNul(key))]) {
      if ((indexBySkeleton.get(skeleton) ?? index) !== index) return key;
      indexBySkeleton.set(skeleton, index);
    }
  }
  return null;
}

/** Keeps the letters of every script, because both keys are arbitrary names. */
function keySkeleton(key: string): string {
  if (SKELETON.test(key)) return key;
  // Upper case first, because some letters have several lower-case forms.
  const text = key.normalize("NFKC").toUpperCase().toLowerCase().replace(SEPARATORS, "");
  return text === "" ? key : text;
}

const cache = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** The first name of each skeleton. */
function namesBySkeleton(names: readonly string[]): ReadonlyMap<string, string> {
  const cached = cache.get(names);
  if (cached !== undefined) return cached;
  const bySkeleton = new Map(names.map((name) => [asciiSkeleton(name), name] as const).reverse());
  cache.set(names, bySkeleton);
  return bySkeleton;
}

function beforeNul(key: string): string {
  const end = key.indexOf("\0");
  return end < 0 ? key : key.slice(0, end);
}

/** A key of these characters alone is its own skeleton. */
const SKELETON = /^[a-z0-9]*$/;

/** Keeps only ASCII letters and digits. The names that keys are compared with have no other characters. */
function asciiSkeleton(key: string): string {
  if (SKELETON.test(key)) return key;
  return key
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
