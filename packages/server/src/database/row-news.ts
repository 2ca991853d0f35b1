import type { Store } from "@svc/store/ports/store";

/** Counts commits of rows, for parts that would otherwise ask the store again and again for new ones. */
export class RowNews {
  readonly #onRows: () => void;
  #count = 0;

  /** @param onRows called at each commit, too */
  constructor(onRows: () => void) {
    this.#onRows = onRows;
  }

  note(): void {
    this.#count += 1;
    this.#onRows();
  }

  /** Null where other processes write to the store, of whose rows this one hears nothing. */
  of({ cluster }: Pick<Store, "cluster">): () => number | null {
    return () => (cluster === null ? this.#count : null);
  }
}
