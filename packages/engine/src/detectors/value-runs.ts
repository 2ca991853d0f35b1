/** Letters, digits and what encodings add: what the value of a key consists of. */
const VALUE_RUN = /[A-Za-z0-9_+/=.~-]*/y;

const DIGIT = /[0-9]/;
const LETTER = /[A-Za-z]/;

/**
 * How far values go on in one text. A run of value characters is read once, however many values begin in it:
 * a text of nothing but announcements would cost the square of its length otherwise.
 */
export class ValueRuns {
  readonly #text: string;
  #start = 0;
  #end = 0;
  #lastDigit = -1;
  #lastLetter = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The value that begins at a place; mixed when it has both letters and digits, as keys have. */
  from(start: number): { readonly end: number; readonly isMixed: boolean } {
    if (start < this.#start || start >= this.#end) this.#read(start);
    return { end: this.#end, isMixed: this.#lastDigit >= start && this.#lastLetter >= start };
  }

  #read(start: number): void {
    VALUE_RUN.lastIndex = start;
    VALUE_RUN.test(this.#text);
    this.#start = start;
    this.#end = VALUE_RUN.lastIndex;
    this.#lastDigit = this.#last(DIGIT);
    this.#lastLetter = this.#last(LETTER);
  }

  #last(wanted: RegExp): number {
    let at = this.#end - 1;
    while (at >= this.#start && !wanted.test(this.#text.charAt(at))) at -= 1;
    return at < this.#start ? -1 : at;
  }
}
