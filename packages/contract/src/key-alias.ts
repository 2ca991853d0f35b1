/**
 * Finds a key that is not one of the names but that some reader could take for one: readers fold case (also
 * of letters outside ASCII), drop separators and control characters, or stop at a NUL.
 * @returns the name that is imitated, or null.
 */
export function aliasOf(keys: readonly string[], names: readonly string[]): string | null {
  for (const key of keys) {
    if (names.includes(key)) continue;
    const [beforeNul = ""] = key.split("\0", 1);
    const readings = [fold(key), fold(beforeNul)];
    const name = names.find((candidate) => readings.includes(fold(candidate)));
    if (name !== undefined) return name;
  }
  return null;
}

function fold(key: string): string {
  return key
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
