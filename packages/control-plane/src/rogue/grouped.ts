/**
 * Values by a name that most often names one. A group of one costs no set: with 100,000 sessions that is the
 * larger part of the memory.
 */
export class Grouped<Value extends object> {
  readonly #groups = new Map<string, Value | Set<Value>>();

  add(name: string, value: Value): void {
    const group = this.#groups.get(name);
    if (group === undefined) this.#groups.set(name, value);
    else if (group instanceof Set) group.add(value);
    else this.#groups.set(name, new Set([group, value]));
  }

  remove(name: string, value: Value): void {
    const group = this.#groups.get(name);
    if (group === value) this.#groups.delete(name);
    else if (group instanceof Set && group.delete(value) && group.size === 0) this.#groups.delete(name);
  }

  /** In the order in which they were added. */
  of(name: string): Iterable<Value> {
    const group = this.#groups.get(name);
    if (group === undefined) return [];
    return group instanceof Set ? group : [group];
  }
}
