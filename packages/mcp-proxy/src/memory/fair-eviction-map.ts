interface Entry<Value> {
  readonly owner: string;
  readonly value: Value;
}

/**
 * A bounded map whose entries belong to owners. When it is full, it evicts the oldest entry of the
 * owner that has the most, so that no owner can push out the entries of another. Setting a key again
 * makes it the newest.
 */
export class FairEvictionMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  /** Keys of each owner, the oldest first. */
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #maxSize: number;
  readonly #onEvicted: (key: string, value: Value) => void;

  /** @param onEvicted called for each entry that was evicted */
  constructor(maxSize: number, onEvicted: (key: string, value: Value) => void = () => {}) {
    this.#maxSize = maxSize;
    this.#onEvicted = onEvicted;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  values(): Value[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  /** @param owner null: unknown; all unknown owners count as one */
  set(owner: string | null, key: string, value: Value): void {
    this.delete(key);
    // The name of an agent is never empty.
    const name = owner ?? "";
    this.#entries.set(key, { owner: name, value });
    const keys = this.#byOwner.get(name);
    if (keys === undefined) this.#byOwner.set(name, new Set([key]));
    else keys.add(key);
    if (this.#entries.size > this.#maxSize) this.#evictOne();
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    const keys = this.#byOwner.get(entry.owner);
    keys?.delete(key);
    if (keys?.size === 0) this.#byOwner.delete(entry.owner);
  }

  #evictOne(): void {
    let most: ReadonlySet<string> = new Set();
    for (const keys of this.#byOwner.values()) if (keys.size > most.size) most = keys;
    const [oldest] = most;
    const entry = oldest === undefined ? undefined : this.#entries.get(oldest);
    if (oldest === undefined || entry === undefined) return;
    this.delete(oldest);
    this.#onEvicted(oldest, entry.value);
  }
}
