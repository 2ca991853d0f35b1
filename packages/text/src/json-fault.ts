import { excerpt } from "./excerpt.ts";

/** Why a text is not strict JSON, and where: offset counts UTF-16 units from 0, line and column from 1. */
export interface JsonFault {
  readonly kind: "too_large" | "malformed";
  readonly expected: string;
  readonly found: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Longest piece of the text that a fault repeats, in characters. */
const EXCERPT_LENGTH = 20;

/** Thrown inside the parser alone. The parser catches it and returns the fault. */
export class StrictJsonError extends Error {
  readonly expected: string;
  readonly offset: number;
  readonly found: string | undefined;

  constructor(expected: string, offset: number, found?: string) {
    super(expected);
    this.expected = expected;
    this.offset = offset;
    this.found = found;
  }

  faultIn(text: string): JsonFault {
    const { expected, offset } = this;
    return malformedAt(text, offset, { expected, found: this.found ?? excerptOf(text, offset) });
  }
}

/** A fault at an offset of a text. */
export function malformedAt(
  text: string,
  offset: number,
  { expected, found }: Pick<JsonFault, "expected" | "found">,
): JsonFault {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - before.lastIndexOf("\n");
  return { kind: "malformed", expected, found, offset, line, column };
}

/** A short piece of the text at an offset, or words for the end of the text. */
export function excerptOf(text: string, offset: number): string {
  if (offset >= text.length) return "the end of the text";
  return excerpt(text.slice(offset, offset + 2 * EXCERPT_LENGTH), EXCERPT_LENGTH);
}
