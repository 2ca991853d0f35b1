import { digitAt, isDigitAt, isGroupGapAt } from "./digits.ts";

/**
 * Digits that follow each other, alone or in groups with one space or hyphen between them. Everything that a
 * Luhn check asks is worked out once for the whole run, so that a check of any part costs the same.
 */
export class DigitRun {
  /** Where the run ends in the text. */
  readonly end: number;
  /** How many digits there are. */
  readonly count: number;
  readonly #start: number;
  readonly #text: string;
  /** Place of each digit. */
  readonly #places: Uint32Array;
  /** Sums modulo 10 of the digits before each: every second one doubled, from the first or the second on. */
  readonly #sums: readonly [Uint8Array, Uint8Array];

  constructor(text: string, { start, end, count }: DigitExtent) {
    this.#text = text;
    this.#start = start;
    this.end = end;
    this.count = count;
    this.#places = new Uint32Array(this.count);
    this.#sums = [new Uint8Array(this.count + 1), new Uint8Array(this.count + 1)];
    this.#read();
  }

  placeOf(index: number): number {
    return this.#places[index] as number;
  }

  digit(index: number): number {
    return digitAt(this.#text, this.placeOf(index));
  }

  /** Whether no digit stands before this one. */
  beginsGroup(index: number): boolean {
    return !isDigitAt(this.#text, this.placeOf(index) - 1);
  }

  /** Whether no digit follows this one. */
  endsGroup(index: number): boolean {
    return !isDigitAt(this.#text, this.placeOf(index) + 1);
  }

  /** Whether the digits from one to before another have a Luhn check digit at their end. */
  passesLuhn(from: number, to: number): boolean {
    // Doubled are the digits whose distance from the last one is odd.
    const sums = this.#sums[(to % 2) as 0 | 1];
    return ((sums[to] as number) + 10 - (sums[from] as number)) % 10 === 0;
  }

  #read(): void {
    const [fromFirst, fromSecond] = this.#sums;
    let at = this.#start;
    for (let index = 0; index < this.count; index += 1) {
      if (isGroupGapAt(this.#text, at)) at += 1;
      const digit = digitAt(this.#text, at);
      const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
      const isEven = index % 2 === 0;
      fromFirst[index + 1] = ((fromFirst[index] as number) + (isEven ? doubled : digit)) % 10;
      fromSecond[index + 1] = ((fromSecond[index] as number) + (isEven ? digit : doubled)) % 10;
      this.#places[index] = at;
      at += 1;
    }
  }
}

/** Where a run of digits is, and how many it has. Cheap: most runs are too short for anything more. */
export interface DigitExtent {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/** @param start where a digit stands, and none before it. */
export function digitExtent(text: string, start: number): DigitExtent {
  let count = 0;
  let end = start;
  let at = start;
  while (isDigitAt(text, at)) {
    count += 1;
    at += 1;
    end = at;
    if (isGroupGapAt(text, at)) at += 1;
  }
  return { start, end, count };
}
