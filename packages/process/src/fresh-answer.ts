/** An answer of a store that is asked again only when it may have changed. */
export class FreshAnswer<Value> {
  readonly #ask: () => Promise<Value>;
  readonly #news: () => number | null;
  #known: { readonly value: Value; readonly news: number } | null = null;

  /** @param news another number whenever the answer may have changed; null: that is not known */
  constructor(ask: () => Promise<Value>, news: () => number | null) {
    this.#ask = ask;
    this.#news = news;
  }

  async get(): Promise<Value> {
    const news = this.#news();
    if (this.#known !== null && news === this.#known.news) return this.#known.value;
    const value = await this.#ask();
    // What came while it was asked may not be in the answer: the number is the one from before.
    this.#known = news === null ? null : { value, news };
    return value;
  }
}
