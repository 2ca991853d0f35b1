import { RE2JS } from "re2js";

/**
 * Most instructions of all patterns of one document, each pattern counted once: compiling them takes some
 * three seconds. No document of earlier versions, whose patterns were smaller, could have more.
 */
const MAX_INSTRUCTIONS = 1_250_000;

/** Adds up the size of the patterns of one document. */
export class PatternBudget {
  readonly #sizes = new Map<string, number>();
  #left = MAX_INSTRUCTIONS;

  /** Instructions of the compiled pattern. @throws when it is not RE2 syntax. */
  sizeOf(pattern: string): number {
    const known = this.#sizes.get(pattern);
    if (known !== undefined) return known;
    const size = RE2JS.compile(pattern).programSize();
    this.#sizes.set(pattern, size);
    this.#left -= size;
    return size;
  }

  /** Compiles a pattern that nothing else needs, and counts it. @throws when it is not RE2 syntax. */
  compiled(pattern: string): RE2JS {
    const compiled = RE2JS.compile(pattern);
    this.#left -= compiled.programSize();
    return compiled;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}
