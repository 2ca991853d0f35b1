import { MAX_BODY_BYTES } from "@svc/contract/limits";

/**
 * Largest compiled pattern in instructions: searching 256 KiB with the worst of that size stays below a
 * second.
 */
export const MAX_REGEX_INSTRUCTIONS = 200;

/**
 * Most work that all conditions of one call may spend on searching texts, in characters times the weight of
 * the search: what the largest pattern needs for the largest text. Without it a policy of hundreds of
 * patterns and one long text would hold up every other call.
 */
export const MAX_TEXT_WORK = MAX_REGEX_INSTRUCTIONS * MAX_BODY_BYTES;

/** Work per character to find a fixed part, and to resolve a path. A pattern weighs its instructions. */
export const FIND_WEIGHT = 1;
export const PATH_WEIGHT = 8;

/** What a call may still spend on searching texts: work, not time, so that equal calls get equal answers. */
export class TextWork {
  #left = MAX_TEXT_WORK;

  /** @returns false when the search does not fit into what is left: it must not run. */
  spend(length: number, weight: number): boolean {
    const work = length * weight;
    if (work > this.#left) return false;
    this.#left -= work;
    return true;
  }
}
