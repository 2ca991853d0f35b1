export interface ByteBudgetOptions {
  /** Bytes held at once by all holders together. */
  readonly totalBytes: number;
  /** Bytes held at once by one holder. */
  readonly bytesPerHolder: number;
}

/** Which bound a request for bytes would break. */
export type Shortage = "total" | "holder";

/** Counts bytes per holder, within two bounds. It never waits: a request that does not fit is refused. */
export class ByteBudget {
  readonly #options: ByteBudgetOptions;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(options: ByteBudgetOptions) {
    this.#options = options;
  }

  get heldBytes(): number {
    return this.#total;
  }

  /**
   * Takes the bytes and returns null, or takes nothing and returns the bound that is in the way. Each
   * successful `take` needs one `give`.
   */
  take(holder: string, bytes: number): Shortage | null {
    const held = this.#held.get(holder) ?? 0;
    if (held + bytes > this.#options.bytesPerHolder) return "holder";
    if (this.#total + bytes > this.#options.totalBytes) return "total";
    this.#held.set(holder, held + bytes);
    this.#total += bytes;
    return null;
  }

  give(holder: string, bytes: number): void {
    const left = (this.#held.get(holder) ?? 0) - bytes;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
    this.#total -= bytes;
  }
}
