interface Entry<Value> {
  readonly owner: string;
  readonly value: Value;
}

/**
 * A map with room that its owners share: when it is full, the owner of the most entries loses its oldest one,
 * so that nobody can make the map forget what others need. Setting a key again makes it the youngest.
 */
export class FairMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  /** Keys of each owner, the oldest first. */
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #maxSize: number;
  readonly #onForgotten: (key: string, value: Value) => void;

  /** @param onForgotten told of each entry that went for want of room */
  constructor(maxSize: number, onForgotten: (key: string, value: Value) => void = () => {}) {
    this.#maxSize = maxSize;
    this.#onForgotten = onForgotten;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  values(): Value[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  /** @param owner null: all who are nobody count as one */
  set(owner: string | null, key: string, value: Value): void {
    this.delete(key);
    // The name of an agent is never empty.
    const name = owner ?? "";
    this.#entries.set(key, { owner: name, value });
    const keys = this.#byOwner.get(name);
    if (keys === undefined) this.#byOwner.set(name, new Set([key]));
    else keys.add(key);
    if (this.#entries.size > this.#maxSize) this.#forgetOne();
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    const keys = this.#byOwner.get(entry.owner);
    keys?.delete(key);
    if (keys?.size === 0) this.#byOwner.delete(entry.owner);
  }

  #forgetOne(): void {
    let most: ReadonlySet<string> = new Set();
    for (const keys of this.#byOwner.values()) if (keys.size > most.size) most = keys;
    const [oldest] = most;
    const entry = oldest === undefined ? undefined : this.#entries.get(oldest);
    if (oldest === undefined || entry === undefined) return;
    this.delete(oldest);
    this.#onForgotten(oldest, entry.value);
  }
}
