/**
 * Finds a key that is not one of the names but that some reader could take for one: readers fold case (also
 * of letters outside ASCII), drop separators and control characters, or stop at a NUL.
 * @param names best a list that is made once: what is known of it is kept with it.
 * @returns the name that is imitated, or null.
 */
export function aliasOf(keys: readonly string[], names: readonly string[]): string | null {
  for (const key of keys) {
    if (names.includes(key)) continue;
    const byReading = readingsOf(names);
    const name = byReading.get(fold(key)) ?? byReading.get(fold(beforeNul(key)));
    if (name !== undefined) return name;
  }
  return null;
}

/** What readers drop from keys or take for one another, in any script. */
const SEPARATORS = /[\p{Z}\p{C}\p{Pd}\p{Pc}.]/gu;

/**
 * Finds two keys of one object that some reader takes for the same one: it folds case or look-alikes, drops
 * separators and control characters, or stops at a NUL.
 * @returns the second of them, or null
 */
export function twinOf(keys: readonly string[]): string | null {
  const readings = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    for (const reading of [likeness(key), likeness(beforeNul(key))]) {
      if ((readings.get(reading) ?? index) !== index) return key;
      readings.set(reading, index);
    }
  }
  return null;
}

function likeness(key: string): string {
  if (FOLDED.test(key)) return key;
  // Upper case first: some letters have several lower ones.
  const text = key.normalize("NFKC").toUpperCase().toLowerCase().replace(SEPARATORS, "");
  return text === "" ? key : text;
}

const known = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** The first of the names that is read so. */
function readingsOf(names: readonly string[]): ReadonlyMap<string, string> {
  const before = known.get(names);
  if (before !== undefined) return before;
  const readings = new Map(names.map((name) => [fold(name), name] as const).reverse());
  known.set(names, readings);
  return readings;
}

function beforeNul(key: string): string {
  const end = key.indexOf("\0");
  return end < 0 ? key : key.slice(0, end);
}

/** What is written so is read so by everybody. */
const FOLDED = /^[a-z0-9]*$/;

function fold(key: string): string {
  if (FOLDED.test(key)) return key;
  return key
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
