/** A page of a list. `next` continues it; null at its end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export interface PageRequest {
  readonly limit: number;
  /**
   * `next` of the page before; null for the first. A text that is not from a page of this
   * list yields `bad_cursor`.
   */
  readonly after: string | null;
}
