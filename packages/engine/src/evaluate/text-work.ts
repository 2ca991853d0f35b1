import { MAX_BODY_BYTES } from "@svc/text/limits";
import { MIN_DETECTED_LENGTH } from "../detectors/detect.ts";
import { FieldMemory } from "./remembered-fields.ts";

/**
 * Largest compiled pattern in instructions: those of secret scanners have some 1,000. It can still search
 * 5 KiB; a longer text is not searched, and counts as one that cannot be judged.
 */
export const MAX_REGEX_INSTRUCTIONS = 10_000;

/** A pattern of this size, in instructions, can search the largest text. */
const WHOLE_BODY_INSTRUCTIONS = 200;

/**
 * Most work that all conditions and rewrites of one call may spend on searching texts, in characters times
 * the weight of the search: below a second of the worst patterns. Without it a policy of hundreds of patterns
 * and one long text would hold up every other call.
 */
export const MAX_TEXT_WORK = WHOLE_BODY_INSTRUCTIONS * MAX_BODY_BYTES;

/** Work per character to find a fixed part, and to resolve a path. A pattern weighs its instructions. */
export const FIND_WEIGHT = 1;
export const PATH_WEIGHT = 8;
/** Work per character to compare texts without case and white space. */
export const LOOSE_WEIGHT = 8;
/** Work per character to look for names in every reading of a path. */
export const NAMED_PATH_WEIGHT = 32;
/** Work per character to read the URLs of a text. */
export const HOST_WEIGHT = 16;
/** What a path or a URL counts for beside its length, in characters: looking at it at all. */
export const READING_START_LENGTH = 16;

/** Work per character and detector, and what a text counts for beside its length: looking at it at all. */
const DETECTOR_WEIGHT = 8;
const DETECTOR_START_LENGTH = 8;

/** Work per value that a condition on all arguments visits, beside what it searches. */
export const VALUE_WEIGHT = 8;

/** Work per member whose name is looked up: to list the members of a large object takes long. */
export const MEMBER_WEIGHT = 64;

/** Work per value that a path with wildcards visits. */
export const VISIT_WEIGHT = 16;

/** What a call may still spend on searching texts: work, not time, so that equal calls get equal answers. */
export class TextWork {
  /** What conditions have read so far, so that no rule looks it up again. */
  readonly memory = new FieldMemory();
  #left = MAX_TEXT_WORK;

  /** @returns false when the search does not fit into what is left: it must not run. */
  spend(length: number, weight: number): boolean {
    const work = length * weight;
    if (work > this.#left) return false;
    this.#left -= work;
    return true;
  }
}

/** @returns false when the detectors cannot search the text with what is left: they must not run. */
export function spendOnDetectors(text: string, detectors: readonly unknown[], work: TextWork): boolean {
  if (text.length < MIN_DETECTED_LENGTH) return work.spend(1, DETECTOR_WEIGHT);
  return work.spend(text.length + DETECTOR_START_LENGTH, DETECTOR_WEIGHT * detectors.length);
}
