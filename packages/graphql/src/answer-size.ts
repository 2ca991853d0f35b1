import { problem } from "@svc/contract/problem";
import { MAX_ANSWER_CHARACTERS } from "./limits.ts";
import { ProblemError } from "./problem-error.ts";

const TOO_LARGE = problem(
  "too_much_work",
  `The answer would have more than ${String(MAX_ANSWER_CHARACTERS)} characters. Ask for fewer nodes with ` +
    "`first`, or for fewer fields.",
);

/**
 * Counts the characters of an answer while it is made: an alias costs its author ten characters, and can
 * repeat a value of 256 KiB.
 */
export class AnswerSize {
  readonly #ofObject = new WeakMap<object, number>();
  #characters = 0;

  get isExceeded(): boolean {
    return this.#characters > MAX_ANSWER_CHARACTERS;
  }

  /** @returns the value. @throws ProblemError when the answer is too large with it */
  count<Value>(value: Value): Value {
    if (typeof value === "string") this.#characters += value.length;
    else if (typeof value === "object" && value !== null) this.#characters += this.#sizeOf(value);
    if (this.isExceeded) throw new ProblemError(TOO_LARGE);
    return value;
  }

  #sizeOf(value: object): number {
    const known = this.#ofObject.get(value);
    if (known !== undefined) return known;
    const size = JSON.stringify(value).length;
    this.#ofObject.set(value, size);
    return size;
  }
}
