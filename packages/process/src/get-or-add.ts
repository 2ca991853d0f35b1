/** The value of a key. A key that is not there gets what `make` returns. */
export function getOrAdd<Key, Item>(map: Map<Key, Item>, key: Key, make: () => Item): Item {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
