/** The same entries without the names that every object has, such as `toString`. */
export function byName<Value>(entries: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries);
}
